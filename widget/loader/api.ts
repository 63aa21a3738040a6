import type { Commands } from '../npm/deskside.d.ts';

/* What a page may say to the widget and hear from it: the public types, which sites get with the npm package. */

export type {
  Check,
  Commands,
  Diagnosis as Report,
  EventName,
  Events,
  OpenTarget,
  Settings,
} from '../npm/deskside.d.ts';

/** A token that the site's server signed, or a function that gets a fresh one. */
export type Proof = Parameters<Commands['identify']>[0];

/** What the page has called: a command and its arguments. */
export type Call = Iterable<unknown>;
