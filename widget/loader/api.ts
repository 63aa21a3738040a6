import type { FrameSettings, Prefill } from '../bridge/messages.ts';

/** What a site can set: as `data-*` of the tag, in `window.DesksideSettings` or by `Deskside('update', …)`. */
export interface Settings extends Partial<
  Omit<FrameSettings, 'origin' | 'page_url' | 'inline' | 'identify'>
> {
  /** Language of the widget; by default the page's own. */
  locale?: string;
  /** Accessible name of the launcher. */
  label?: string;
  /** Fixes the widget's place in the page's own order; without it the widget stands above everything. */
  zIndex?: number;
  /** Distance of launcher and panel from the window's edges, in CSS pixels. */
  offset?: number;
  /** Number of unread messages in the page's title. */
  titleBadge?: boolean;
  /** CSS selector of the site's own launchers, in place of ours. */
  launcher?: string;
}

/** A token that the site's server signed, or a function that gets a fresh one. */
export type Proof = string | (() => Promise<string>);

export interface OpenTarget {
  view?: 'new';
  ticket?: string;
}

/** What `Deskside('on', name, …)` and the DOM events `deskside:name` tell. */
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
  /** `null`: cannot be said, for the reason that `hint` gives. */
  ok: boolean | null;
  hint: string;
}

export interface Report {
  version: string;
  checks: Check[];
}

/** What `Deskside(name, …)` can be asked. */
export interface Commands {
  open: (target?: OpenTarget) => void;
  close: () => void;
  toggle: () => void;
  show: () => void;
  hide: () => void;
  identify: (proof: Proof) => void;
  logout: () => void;
  prefill: (fields: Prefill) => void;
  update: (changes: Settings) => void;
  /** Returns the unsubscribe function. */
  on: <Name extends EventName>(name: Name, handler: (detail: Events[Name]) => void) => () => void;
  /** Names what is wrong on this page, also in the console. Rejects where its code cannot be loaded. */
  diagnose: () => Promise<Report>;
  destroy: () => void;
}
