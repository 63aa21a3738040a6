/** What is wrong with an article, as `deskside articles check` and the log name it. */
export const faults = {
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

export type FaultKind = keyof typeof faults;

export interface Fault {
  kind: FaultKind;
  /** From 1. */
  line: number;
  /** What is meant, as it stands in the file. */
  detail?: string;
}

/** An article with one of these is not served; with others it is, without what is wrong. */
const fatal: ReadonlySet<FaultKind> = new Set([
  'unknown_language',
  'misplaced',
  'bad_id',
  'too_large',
  'too_many',
  'unreadable',
  'bad_front_matter',
  'no_title',
] satisfies FaultKind[]);

export const isFatal = ({ kind }: Fault): boolean => fatal.has(kind);

export const describeFault = ({ kind, detail }: Fault): string =>
  detail === undefined ? faults[kind] : `${faults[kind]}: ${detail}`;
