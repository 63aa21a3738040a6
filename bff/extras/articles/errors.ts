/** The descriptions of errors in articles, as `deskside articles check` and the log print them. */
const descriptions = {
  unknown_language: 'the folder is not named by the tag of a language of the widget',
  misplaced: 'an article stands right in the folder of its language',
  bad_id: 'the name may have small letters, digits and hyphens only, at most 80',
  too_large: 'the file is too large',
  too_many: 'there are too many files',
  unreadable: 'the file cannot be read as UTF-8 text',
  no_title: 'there is no heading “# Title”, and no “title” in the front matter',
  front_matter: 'of the front matter only “pinned”, a number, and “title” are read; ignored',
  html: 'HTML is left out',
  bad_link: 'the link leads neither to an article here nor to an http, https, mailto or tel address',
  missing_part: 'the article has no heading of this name',
  missing_image: 'there is no such image in the folder',
  unsupported_image: 'images must be files of the folder: png, jpg, webp, gif, avif or svg',
} as const;

export type ArticleErrorKind = keyof typeof descriptions;

export interface ArticleError {
  kind: ArticleErrorKind;
  /** From 1. */
  line: number;
  /** The text in the file that the error is about. */
  detail?: string;
}

/** An article with one of these errors is not served. With other errors it is served without the wrong part. */
const fatal: ReadonlySet<ArticleErrorKind> = new Set([
  'unknown_language',
  'misplaced',
  'bad_id',
  'too_large',
  'too_many',
  'unreadable',
  'no_title',
] satisfies ArticleErrorKind[]);

/** Whether an article with this error is not served. */
export const isFatal = ({ kind }: ArticleError): boolean => fatal.has(kind);

/** Whether it is no mistake: front matter may be meant for other programs. */
export const isWarning = ({ kind }: ArticleError): boolean => kind === 'front_matter';

/** The description of an error, followed by the text that it is about. */
export const describeError = ({ kind, detail }: ArticleError): string =>
  detail === undefined ? descriptions[kind] : `${descriptions[kind]}: ${detail}`;
