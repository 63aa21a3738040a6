/* The errors in articles, as `deskside articles check` and the log describe them. */

/** An article with one of these is not served. */
const fatal = {
  unknown_language: 'the folder is not named by the tag of a language of the widget',
  misplaced: 'an article stands right in the folder of its language',
  bad_id: 'the name may have small letters, digits and hyphens only, at most 80',
  too_large: 'the file is too large',
  too_many: 'there are too many files',
  unreadable: 'the file cannot be read as UTF-8 text',
  too_complex: 'its marks are too many, are nested too deep, or take too long to read',
  no_title: 'there is no heading “# Title”, and no “title” in the front matter',
} as const;
/** An article with one of these is served without the wrong part. */
const others = {
  front_matter: 'of the front matter only “pinned”, a number, and “title” are read; ignored',
  html: 'HTML is left out',
  bad_link: 'the link leads neither to an article here nor to an http, https, mailto or tel address',
  missing_part: 'the article has no heading of this name',
  missing_image: 'there is no such image in the folder',
  unsupported_image: 'images must be files of the folder: png, jpg, webp, gif, avif or svg',
} as const;
const descriptions = { ...fatal, ...others };

export type ArticleErrorKind = keyof typeof descriptions;

export interface ArticleError {
  kind: ArticleErrorKind;
  /** From 1. */
  line: number;
  /** The text in the file that the error is about. */
  detail?: string;
}

/** Whether an article with this error is not served. */
export const isFatal = ({ kind }: ArticleError): boolean => Object.hasOwn(fatal, kind);

/** Whether it is no mistake: front matter may be meant for other programs. */
export const isWarning = ({ kind }: ArticleError): boolean => kind === 'front_matter';

/** The description of an error, followed by the text that it is about. */
export const describeError = ({ kind, detail }: ArticleError): string =>
  detail === undefined ? descriptions[kind] : `${descriptions[kind]}: ${detail}`;
