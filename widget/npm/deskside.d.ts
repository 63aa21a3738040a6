/** What a site may set: on the tag as `data-*`, in `window.DesksideSettings`, or by `Deskside('update', …)`. */
export interface Settings {
  /** Your name, in the panel. */
  brand?: string;
  /** Address of your picture, on one of the sites that show the widget, or `data:`; else your initial is shown. */
  logo?: string;
  /** Any CSS colour, for the launcher and for buttons; readable text on it is computed. */
  color?: string;
  /** `right` unless set. */
  position?: 'left' | 'right';
  /** `auto`, the customer's own preference, unless set. */
  theme?: 'auto' | 'light' | 'dark';
  /** BCP 47 tag; else the page's `lang`, else the browser's. */
  locale?: string;
  /** Accessible name of the launcher, for screen readers. */
  label?: string;
  zIndex?: number;
  /** Distance from the window's edges, in CSS pixels: `20`, or `'12 80'` from the side and from the bottom. */
  offset?: number | string;
  /** The same on phones. */
  offsetPhone?: number | string;
  /** Heading of the start screen. */
  greeting?: string;
  /** Your own sentences, by the path of the sentence that each replaces: `{ 'fields.subject': 'Topic' }`. */
  texts?: Record<string, string>;
  /** Shows the priority field; off unless set. */
  priority?: boolean;
  /** `ask` shows the subject field; else the subject is made from the first sentence of the message. */
  subject?: 'ask';
  /** What Enter does in a reply on devices with a keyboard: `send` unless set. */
  enter?: 'send' | 'newline';
  /** Whether customers may attach files, where the server takes them: `on` unless set. */
  files?: 'on' | 'off';
  /** A tone for a new answer; off unless set. */
  sound?: boolean;
  /** A small bubble for a new answer while the panel is closed; on unless set. */
  preview?: boolean;
  /** The number of unread answers in the page's title; off unless set. */
  titleBadge?: boolean;
  /** Tells agents the title of the customer's page; on unless set. */
  pageTitle?: boolean;
  /** Passes the names of events on to `window.dataLayer` as `{ event: 'deskside:open' }`; off unless set. */
  dataLayer?: boolean;
  /** Keeps an open panel open on the next pages of the visit; on unless set. Not on phones, where it would hide the page. */
  stayOpen?: boolean;
  /** CSS selector of your own launchers, which then open and close the panel in place of ours. */
  launcher?: string;
  /** Words on the launcher; up to 40 characters fit. */
  launcherText?: string;
  /** Address of a picture on the launcher, in place of ours; also `data:`. */
  launcherIcon?: string;
  /**
   * Outside your support hours (`SUPPORT_HOURS`), for customers without a conversation: `hide` hides the launcher,
   * `articles` offers your articles and no form. `show` unless set.
   */
  whenClosed?: 'show' | 'hide' | 'articles';
  /** A plain text beside the launcher, up to 200 characters, that invites the customer to write; once a visit. */
  invite?: string;
  /** Seconds on the page until the invite is shown; 30 unless set. */
  inviteAfter?: number;
  /** Paths of the pages with the invite, separated by spaces; `*` stands for any characters, and `!` leaves a page out: `/shop* !/shop/cart`. */
  invitePage?: string;
}

export interface OpenTarget {
  /** `new`: the form for a new ticket. */
  view?: 'new';
  /** Id of a ticket that this customer may see. */
  ticket?: string;
  /** Id of one of your articles (`ARTICLES_DIR`): the name of its file without `.md`. */
  article?: string;
}

/** Fills in what the customer has not written themselves. */
export interface Prefill {
  name?: string;
  email?: string;
  subject?: string;
  description?: string;
  /** Id of a topic of your form (`FORM_FILE`). */
  topic?: string;
  /** Answers to that form, by id of the field; for a choice, the id of an option. */
  fields?: Record<string, string | boolean>;
}

/** Facts by name: at most 20, with names of up to 40 characters and texts of up to 200. */
export type Attributes = Record<string, string | number | boolean>;

export interface Check {
  name: string;
  /** null: unknown. */
  ok: boolean | null;
  /** What it means, and what to do about it. */
  hint: string;
}

export interface Diagnosis {
  version: string;
  checks: Check[];
}

/** The details of each event: ids of tickets, never a text. */
export interface Events {
  ready: null;
  open: null;
  close: null;
  'ticket-created': { ticket_id: string | null };
  'message-sent': { ticket_id: string | null };
  'message-received': { ticket_id: string | null };
  unread: { count: number };
  /**
   * `script_unavailable` (npm package), `guest_unavailable` (the second script), `frame_unavailable` (the panel),
   * `identify_failed`, or the code by which your Deskside refused what the customer did.
   */
  error: { code: string };
}

export type EventName = keyof Events;

/** The commands of `Deskside(name, …)`. */
export interface Commands {
  open: (target?: OpenTarget) => void;
  close: () => void;
  toggle: () => void;
  /** Shows the launcher again. */
  show: () => void;
  /** Hides the launcher. */
  hide: () => void;
  /** A token that your server signed, or a function that gets a fresh one. */
  identify: (proof: string | (() => Promise<string>)) => void;
  /** Ends the session in this browser. Call it only when the customer signs out of your site. */
  logout: () => void;
  prefill: (fields: Prefill) => void;
  /** What agents read with the next ticket, as said by the page. Replaces the former; null clears it. */
  context: (attributes: Attributes | null) => void;
  /** Shows this invite as soon as nothing else goes on: the setting `invite` without its seconds. Null ends it. */
  invite: (text: string | null) => void;
  update: (changes: Settings) => void;
  /** Returns the unsubscribe function. */
  on: <Name extends EventName>(name: Name, handler: (detail: Events[Name]) => void) => () => void;
  /** Removes everything that the widget has added. */
  destroy: () => void;
  /** Finds out what keeps the widget from working on this page. */
  diagnose: () => Promise<Diagnosis>;
}

/** A command. It returns undefined until the script is loaded. */
export interface Deskside {
  <Name extends EventName>(
    command: 'on',
    name: Name,
    handler: (detail: Events[Name]) => void,
  ): (() => void) | undefined;
  <Name extends Exclude<keyof Commands, 'on'>>(
    command: Name,
    ...args: Parameters<Commands[Name]>
  ): ReturnType<Commands[Name]> | undefined;
  /** Where a stub keeps the calls that come before the script is loaded. */
  q?: unknown;
}

type DocumentEvents = { [Name in EventName as `deskside:${Name}`]: CustomEvent<Events[Name]> };

declare global {
  interface Window {
    Deskside?: Deskside;
    DesksideSettings?: Settings;
  }
  // oxlint-disable-next-line typescript/no-empty-object-type -- a type of the platform is extended by ours
  interface DocumentEventMap extends DocumentEvents {}
  interface HTMLElementTagNameMap {
    'deskside-widget': HTMLElement;
  }
}
