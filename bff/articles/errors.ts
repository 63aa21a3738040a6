/** The descriptions of errors in articles, as `deskside articles check` and the log print them. */
const descriptions = {
  unknown_language: 'the folder is not named by the tag of a language of the widget',
  misplaced: 'an article stands right in the folder of its language',
  bad_id: 'the name may have small letters, digits and hyphens only, at most 80',
  too_large: 'the file is too large',
  too_many: 'there are too many files',
  unreadable: 'the file cannot be read as UTF-8 text',
  bad_front_matter: 'the front matter may have one line only, as in “pinned: 1”',
  no_title: 'there is no heading “# Title”',
  html: 'HTML is left out',
  bad_link: 'the link leads neither to an article here nor to an http, https, mailto or tel address',
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
  'bad_front_matter',
  'no_title',
] satisfies ArticleErrorKind[]);

/** Whether an article with this error is not served. */
export const isFatal = ({ kind }: ArticleError): boolean => fatal.has(kind);

/** The description of an error, followed by the text that it is about. */
export const describeError = ({ kind, detail }: ArticleError): string =>
  detail === undefined ? descriptions[kind] : `${descriptions[kind]}: ${detail}`;
