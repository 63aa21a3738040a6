/** Settings that the first paint needs; they travel in the frame URL's fragment and in `update` messages. */
export interface FrameSettings {
  /** Origin of the host page: the only one the frame talks to. */
  origin: string;
  brand?: string;
  /** Any CSS colour; the app derives readable text from it. */
  color?: string;
  position?: 'left' | 'right';
  theme?: 'auto' | 'light' | 'dark';
  /** Show the priority field. */
  priority?: boolean;
  /** A tone for a new answer; off unless the site asks for it. */
  sound?: boolean;
  /** A small bubble over the launcher for a new answer while the panel is closed; on unless the site says no. */
  preview?: boolean;
  /** Heading of the start screen, in place of the language's own. */
  greeting?: string;
  /** Texts in place of the language's own, by the paths of `widget/app/i18n/en.ts`: `fields.subject`. */
  texts?: Record<string, string>;
  /** Page that the customer is on; shown to agents only. */
  page_url?: string;
  /** When the frame is made: the page has said who its customer is, and the token is on its way. */
  identify?: boolean;
  /** The app stands in the page itself, always open: there is nothing to close. */
  inline?: boolean;
}

export interface Prefill {
  name?: string;
  email?: string;
  subject?: string;
  description?: string;
}

/** Host page → frame. */
export type HostMessage =
  | { type: 'open'; view?: 'new'; ticket?: string }
  | { type: 'closed' }
  | { type: 'update'; settings: Partial<FrameSettings> }
  | { type: 'prefill'; fields: Prefill }
  /** The page has just called `identify`: a token will come, or `identify_failed`. */
  | { type: 'identifying' }
  /** The page gave no token. */
  | { type: 'identify_failed' }
  /** The token that the site's server signed for its customer. Tokens travel inward only. */
  | { type: 'identify'; token: string }
  /** The site's customer has signed out: ends the session. */
  | { type: 'logout' }
  /** Asks for a `diagnosis`. */
  | { type: 'diagnose' };

/** What the host page may hear of; names of tickets only, never a text. */
export type WidgetEvent =
  | { name: 'ticket-created' | 'message-sent' | 'message-received'; detail: { ticket_id: string | null } }
  | { name: 'error'; detail: { code: string } };

/** What the app finds out about itself on this page. */
export interface Diagnosis {
  /** Whether this browser keeps what is written down here. */
  storage: boolean;
  /** What the BFF answers to an ordinary question: `ok`, or the error's code; `unreachable` without an answer. */
  api: string;
  /** How answers come: over the stream, by asking now and then, or not at all (no conversation yet). */
  live: 'stream' | 'polling' | 'off';
}

/** Frame → host page. */
export type FrameMessage =
  /** `version` is the app's; the loader's can be another where one of them came out of a cache. */
  | { type: 'ready'; version?: string }
  /** The customer asked to open (a preview) or to close (button or Escape). */
  | { type: 'open' | 'close' }
  | { type: 'unread'; count: number }
  /** Whether this browser holds a session: lets the loader wake the frame for the badge on later pages. */
  | { type: 'used'; used: boolean }
  /** Asks for a fresh `identify`: the session of a verified customer has ended. */
  | { type: 'token' }
  /**
   * The closed panel shows a preview of a new answer, so many CSS pixels high; 0 ends it. SECURITY: the frame draws it,
   * since the host page must not read the conversation.
   */
  | { type: 'preview'; height: number }
  | { type: 'diagnosis'; diagnosis: Diagnosis }
  | { type: 'event'; event: WidgetEvent };

type Shape = Record<string, unknown>;
const isObject = (value: unknown): value is Shape => typeof value === 'object' && value !== null;
const isText = (value: unknown) => value === undefined || typeof value === 'string';
/** An identity token that is no longer than the BFF reads. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && value.length <= 4096;
const isCount = (value: unknown) => typeof value === 'number' && value >= 0;
const isOneOf =
  (...allowed: unknown[]) =>
  (value: unknown) =>
    value === undefined || allowed.includes(value);

const settingChecks: Record<keyof FrameSettings, (value: unknown) => boolean> = {
  origin: isText,
  brand: isText,
  color: isText,
  position: isOneOf('left', 'right'),
  theme: isOneOf('auto', 'light', 'dark'),
  priority: isOneOf(true, false),
  sound: isOneOf(true, false),
  preview: isOneOf(true, false),
  greeting: isText,
  texts: isObject,
  page_url: isText,
  inline: isOneOf(true, false),
  identify: isOneOf(true, false),
};

const flags = ['priority', 'sound', 'preview'] satisfies (keyof FrameSettings)[];

/** A flag in an attribute of the script tag is a text: `data-priority`, `data-priority="false"`. */
export const asFlag = (value: unknown) => (typeof value === 'string' ? value !== 'false' : value);

/** Keeps the known, well-typed settings of anything. */
export function readSettings(value: unknown): Partial<FrameSettings> {
  const given: Shape = { ...Object(value) };
  for (const name of flags) given[name] = asFlag(given[name]);
  return Object.fromEntries(
    Object.entries(settingChecks)
      .filter(([name, isValid]) => given[name] !== undefined && isValid(given[name]))
      .map(([name]) => [name, given[name]]),
  );
}

export function isHostMessage(value: unknown): value is HostMessage {
  const { type, view, ticket, settings, fields, token } = Object(value) as Shape;
  return (
    type === 'closed' ||
    type === 'logout' ||
    type === 'diagnose' ||
    type === 'identifying' ||
    type === 'identify_failed' ||
    (type === 'open' && isOneOf('new')(view) && isText(ticket)) ||
    (type === 'update' && isObject(settings)) ||
    (type === 'prefill' && isObject(fields) && Object.values(fields).every(isText)) ||
    (type === 'identify' && isToken(token))
  );
}

const eventNames: unknown[] = [
  'ticket-created',
  'message-sent',
  'message-received',
  'error',
] satisfies WidgetEvent['name'][];

function isWidgetEvent(value: unknown): value is WidgetEvent {
  const { name, detail } = Object(value) as Shape;
  return eventNames.includes(name) && isObject(detail);
}

export function isFrameMessage(value: unknown): value is FrameMessage {
  const { type, count, used, event, height, version, diagnosis } = Object(value) as Shape;
  return (
    (type === 'ready' && isText(version)) ||
    type === 'open' ||
    type === 'close' ||
    type === 'token' ||
    (type === 'unread' && isCount(count)) ||
    (type === 'preview' && isCount(height)) ||
    (type === 'diagnosis' && isObject(diagnosis)) ||
    (type === 'used' && typeof used === 'boolean') ||
    (type === 'event' && isWidgetEvent(event))
  );
}
