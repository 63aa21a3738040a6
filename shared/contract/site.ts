import type { FileRules } from './files.ts';
import type { SiteForm } from './form.ts';

/**
 * The parts of the BFF's settings that change the app. They are in the app's document, as JSON in `#site`, when one
 * of these settings is on.
 */
export interface Site {
  /** Sentences that only these settings need, in the language of the document. */
  sentences: {
    /** How soon an answer usually comes. */
    replyTime?: string;
    /** When support opens again, with `{day}` and `{time}`. */
    backOn?: string;
    /** The same when the day is today or tomorrow. */
    backSoon?: string;
    /** When the answer to a ticket comes that was sent while support is closed, with `{day}` and `{time}`. */
    answerOn?: string;
    /** The same when the day is today or tomorrow. */
    answerSoon?: string;
    /** The label of the checkbox that asks for a mail when an answer waits. */
    notify?: string;
    /** Said to those who ticked it, with `{email}`. */
    answerMail?: string;
    /** For the operator's own form. */
    form?: FormSentences;
  };
  hours?: SupportHours;
  /** The first that is shown now is shown alone. */
  notices?: SiteNotice[];
  links?: SiteLink[];
  form?: SiteForm;
  articles?: SiteArticles;
  ratings?: SiteRatings;
  files?: SiteFiles;
  attached?: AttachedSentences;
}

/** Missing where customers may attach nothing. */
export interface SiteFiles extends FileRules {
  sentences: FileSentences;
  screenshot: ScreenshotSentences;
}

/** Present when messages can have files, which the app then shows: `site.attached` of `shared/i18n/en.ts`. */
export interface AttachedSentences {
  picture: string;
  /** By the categories of `Intl.PluralRules`, with `{count}`. */
  files: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
  removed: string;
  /** With `{number}` and `{count}`. */
  place: string;
  previous: string;
  next: string;
  zoomIn: string;
  zoomOut: string;
  open: string;
}

/** `shared/i18n/en.ts` has them under `site.files`. */
export interface FileSentences {
  attach: string;
  /** While files are dragged over the panel. */
  drop: string;
  list: string;
  /** The next six have `{name}`. */
  remove: string;
  added: string;
  removed: string;
  uploaded: string;
  unreadable: string;
  notTaken: string;
  /** With `{name}` and `{size}`. */
  tooLarge: string;
  /** By the categories of `Intl.PluralRules`, with `{count}`. */
  tooMany: PluralForms;
  /** Of a picture that many programs cannot open, with `{name}`. */
  foreign: string;
  /** With `{name}`. */
  failed: string;
  /** With `{name}`. */
  lost: string;
  retrying: string;
  /** Nothing can be stored. */
  unkept: string;
  /** By the categories of `Intl.PluralRules`, with `{count}`. */
  waiting: PluralForms;
  /** A message waits for a file that cannot be uploaded. */
  stuck: string;
  edit: string;
}

/** `shared/i18n/en.ts` has them under `site.screenshot`. */
export interface ScreenshotSentences {
  /** The button. */
  take: string;
  /** The dialog in which the picture is edited. */
  title: string;
  crop: string;
  hide: string;
  arrow: string;
  /** Takes the last change back. */
  undo: string;
  /** Leaves the dialog without a picture. */
  cancel: string;
  attach: string;
  /** What `hide` has made. */
  hidden: string;
  /** What to do with each tool. */
  hints: Record<'crop' | 'hide' | 'arrow', string>;
  /** For those without a pointer. */
  keys: string;
  failed: string;
}
type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Words for all customers, where there is more about it, and when it is shown: milliseconds since the epoch. */
export interface SiteNotice {
  text: string;
  link?: SiteLink;
  from?: number;
  until?: number;
}

/** Of the operator, for the start. */
export interface SiteLink {
  label: string;
  /** http, https, mailto or tel. */
  url: string;
}

export interface FormSentences {
  /** The label of the choice of topics. */
  topic: string;
  /** How to fill in a field, with `{example}`. */
  example: string;
  /** The option when nothing is chosen. */
  choose: string;
  /** The error when a required box is not ticked. */
  tick: string;
}

/** Present when there are articles, with those on the start view. */
export interface SiteArticles {
  /** The hash under which they are served. */
  hash: string;
  /** The most useful articles, at most four. */
  top: { id: string; title: string; lang?: string }[];
  sentences: {
    search: string;
    find: string;
    top: string;
    found: string;
    none: string;
    suggested: string;
    ask: string;
    yes: string;
    no: string;
    thanks: string;
    sorry: string;
  };
}

/** Present when customers may rate conversations. */
export interface SiteRatings {
  sentences: {
    /** Whether the answer solved it. */
    ask: string;
    yes: string;
    notYet: string;
    /** After `notYet`: the customer may write on. */
    goOn: string;
    rate: string;
    /** Names of the scores, the lowest first. */
    scores: { 1: string; 2: string; 3: string; 4: string; 5: string };
    word: string;
    thanks: string;
  };
}

/** Whether support is there, from the moment at which the document was served. */
export interface SupportHours {
  isOpen: boolean;
  /** When that changes, alternately; milliseconds since the epoch. */
  changes: number[];
}

/** Whether support is there at `now`; null after the last change that is known. */
export function isOpenAt({ isOpen, changes }: SupportHours, now: number): boolean | null {
  const past = changes.filter((at) => at <= now).length;
  if (past > 0 && past === changes.length) return null;
  // Each change is to the other state.
  return (past % 2 === 0) === isOpen;
}

/** What the module at `hoursPath` exports for pages that have the widget; null without hours. */
export interface PageHours {
  isOpen: boolean;
  hasArticles: boolean;
  askAgainMs: number;
}

/**
 * The operator's brand, as JSON in `#brand` of the app's document. The first three are settings of the app, and those of
 * the tag come before them.
 */
export interface Brand {
  brand?: string;
  color?: string;
  logo?: string;
  /** The way from the full page to the operator's site. Missing if there are only apps and wildcards. */
  site?: { url: string; label: string };
}
