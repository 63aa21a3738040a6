import type { Attributes } from '../../shared/contract/attributes.ts';
import type { FrameSettings, Prefill } from '../bridge/messages.ts';

/** A site's settings: `data-*` of the tag, `window.DesksideSettings` or `Deskside('update', …)`. */
export interface Settings extends Partial<
  Omit<FrameSettings, 'origin' | 'page_url' | 'inline' | 'identify'>
> {
  /** Language of the widget; by default the page's own. */
  locale?: string;
  /** Accessible name of the launcher. */
  label?: string;
  /** The widget's `z-index`; without it the widget is in the top layer, above everything. */
  zIndex?: number;
  /** Distance of launcher and panel from the window's edges, in CSS pixels: `20`, or `12 80` from the side and the bottom. */
  offset?: number | string;
  /** The same on phones. */
  offsetPhone?: number | string;
  /** Show the number of unread messages in the page's title. */
  titleBadge?: boolean;
  /** Pass the names of events on to `window.dataLayer`. */
  dataLayer?: boolean;
  /** CSS selector of the site's own launchers, which replace ours. */
  launcher?: string;
  /** Words on the launcher. */
  launcherText?: string;
  /** Address of a picture on the launcher, in place of ours. */
  launcherIcon?: string;
  /** A text that invites the customer to write. */
  invite?: string;
  /** Seconds on the page before it is shown. */
  inviteAfter?: number;
  /** Paths that it is shown on, separated by spaces; `*` stands for any characters. */
  invitePage?: string;
}

/** A token that the site's server signed, or a function that gets a fresh one. */
export type Proof = string | (() => Promise<string>);

export interface OpenTarget {
  view?: 'new';
  ticket?: string;
  article?: string;
}

/** Details of the events of `Deskside('on', name, …)`, which are also DOM events `deskside:name`. */
export interface Events {
  ready: null;
  open: null;
  close: null;
  'ticket-created': { ticket_id: string | null };
  'message-sent': { ticket_id: string | null };
  'message-received': { ticket_id: string | null };
  unread: { count: number };
  /** The widget's own codes are `frame_unavailable`, `guest_unavailable`, `identify_failed`; others are the BFF's. */
  error: { code: string };
}
export type EventName = keyof Events;

export interface Check {
  name: string;
  /** `null`: unknown; `hint` says why. */
  ok: boolean | null;
  hint: string;
}

export interface Report {
  version: string;
  checks: Check[];
}

/** What the page has called: a command and its arguments. */
export type Call = Iterable<unknown>;

/** The commands of `Deskside(name, …)`. */
export interface Commands {
  open: (target?: OpenTarget) => void;
  close: () => void;
  toggle: () => void;
  show: () => void;
  hide: () => void;
  identify: (proof: Proof) => void;
  logout: () => void;
  prefill: (fields: Prefill) => void;
  /** What agents are told with the next ticket, as said by the page. Replaces the former; null clears it. */
  context: (attributes: Attributes | null) => void;
  /** Shows this text beside the launcher now. */
  invite: (text: string | null) => void;
  update: (changes: Settings) => void;
  /** Returns the unsubscribe function. */
  on: <Name extends EventName>(name: Name, handler: (detail: Events[Name]) => void) => () => void;
  /** Checks the widget on this page; also prints the report. Rejects when the deferred script cannot be loaded. */
  diagnose: () => Promise<Report>;
  destroy: () => void;
}
