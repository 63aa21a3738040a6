import type { SiteForm } from './form.ts';

/**
 * What the BFF's settings change in the app. It stands in the app's document, as JSON in `#site`, where one of these
 * settings is on.
 */
export interface Site {
  /** Sentences that only these settings need, in the language of the document. */
  sentences: {
    /** How soon an answer usually comes. */
    replyTime?: string;
    /** When support opens again; with `{day}` and `{time}`. */
    backOn?: string;
    /** The same where the day is today or tomorrow. */
    backSoon?: string;
    /** Beside the checkbox that asks for a mail when an answer waits. */
    notify?: string;
    /** Of the operator's own form. */
    form?: FormSentences;
  };
  hours?: SupportHours;
  form?: SiteForm;
  articles?: SiteArticles;
}

export interface FormSentences {
  /** What the topics are called together. */
  topic: string;
  /** How a field is to be filled in; with `{example}`. */
  example: string;
  /** Nothing is chosen. */
  choose: string;
  /** A box that must be ticked is not. */
  tick: string;
}

/** That there are articles, and what the start view shows of them. */
export interface SiteArticles {
  /** Under which they are served. */
  hash: string;
  /** The most useful; at most five. */
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

/** When support is there, from the moment at which the document was served. */
export interface SupportHours {
  isOpen: boolean;
  /** When that changes, in turns; milliseconds since the epoch. */
  changes: number[];
}
