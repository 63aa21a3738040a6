import type { TicketContext } from '../../shared/contract/tickets.ts';
import { contextKinds, isToken, prefillKinds, readFields, settingKinds, targetKinds } from './fields.ts';

/** Settings of the app, sent in the frame URL's fragment (for the first paint) and in `update` messages. */
export interface FrameSettings {
  /** Origin of the host page, the only one that the frame exchanges messages with. */
  origin: string;
  brand?: string;
  /** Address of the brand's picture, `https:` or `data:`; without it its initial is shown. */
  logo?: string;
  /** Any CSS colour; the app derives readable text from it. */
  color?: string;
  position?: 'left' | 'right';
  theme?: 'auto' | 'light' | 'dark';
  /** Show the priority field. */
  priority?: boolean;
  /** Ask for a subject; otherwise it is made from the first sentence of the message. */
  subject?: 'ask';
  /** What Enter does in a reply where there is a keyboard: it sends by default. */
  enter?: 'send' | 'newline';
  /** Whether customers may attach files, where the BFF takes them: on by default. */
  files?: 'on' | 'off';
  /** An open panel stays open on the next pages of the visit; on by default. */
  stayOpen?: boolean;
  /** Tell agents the title of the customer's page; on by default. */
  pageTitle?: boolean;
  /** Play a tone for a new answer; off by default. */
  sound?: boolean;
  /** Preview a new answer over the launcher while the panel is closed; on by default. */
  preview?: boolean;
  /** Heading of the start screen; replaces the translated one. */
  greeting?: string;
  /** Texts that replace translated ones, by their paths in `shared/i18n/en.ts`: `fields.subject`. */
  texts?: Record<string, string>;
  /** Address of the customer's page; shown to agents only. */
  page_url?: string;
  /** The page called `identify` before the frame was created: a token will follow. */
  identify?: boolean;
  /** Outside the support hours, for customers without tickets: `articles` offers articles and no form. */
  whenClosed?: 'show' | 'hide' | 'articles';
  /** The app is part of the page and always open: it has no close button. */
  inline?: boolean;
}

export interface Prefill {
  name?: string;
  email?: string;
  subject?: string;
  description?: string;
  /** Id of a topic of the operator's form. */
  topic?: string;
  /** Answers to that form, by id of the field. */
  fields?: Record<string, string | boolean>;
}

/** Host page → frame. */
export type HostMessage =
  | { type: 'open'; view?: 'new'; ticket?: string; article?: string }
  | { type: 'closed' }
  /** A file was dropped on the launcher. */
  | { type: 'dropped' }
  | { type: 'update'; settings: Partial<FrameSettings> }
  | { type: 'prefill'; fields: Prefill }
  /** What agents are told of the page and its customer with the next ticket. Replaces the former. */
  | { type: 'context'; context: Omit<TicketContext, 'page_url'> }
  /** The page has called `identify`: `identify` or `identify_failed` will follow. */
  | { type: 'identifying' }
  /** The page could not provide a token. */
  | { type: 'identify_failed' }
  /** The token that the site's server signed for its customer. Tokens are never sent to the host page. */
  | { type: 'identify'; token: string }
  /** The site's customer has signed out: end the session. */
  | { type: 'logout' }
  /** The answer to `away`: it has been drawn. */
  | { type: 'away' }
  /** Request for a `diagnosis`. */
  | { type: 'diagnose' };

/** Events for the host page. They carry ticket ids, never texts. */
export type WidgetEvent =
  | { name: 'ticket-created' | 'message-sent' | 'message-received'; detail: { ticket_id: string | null } }
  | { name: 'error'; detail: { code: string } };

/** The app's part of the self-check. */
export interface Diagnosis {
  /** Whether the browser's storage keeps values. */
  storage: boolean;
  /** The BFF's answer to an ordinary request: `ok` or the error's code; `unreachable` without an answer. */
  api: string;
  /** How answers arrive: by the stream, by polling, or not at all (no conversation yet). */
  live: 'stream' | 'polling' | 'off';
}

/** Frame → host page. */
export type FrameMessage =
  /** The form has been painted; its scripts are on their way. */
  | { type: 'drawn' }
  /** `version` is the app's; it can differ from the loader's when one of them was cached. */
  | { type: 'ready'; version?: string }
  /** The customer opened a preview, or closed the panel (button or Escape). */
  | { type: 'open' | 'close' }
  | { type: 'unread'; count: number }
  /** Whether this browser has a session. On later pages the loader then loads the frame for the badge. */
  | { type: 'used'; used: boolean }
  /** Request for a fresh `identify`: the session of a verified customer has ended. */
  | { type: 'token' }
  /**
   * Show a preview of a new answer, `height` CSS pixels high; 0 ends it. SECURITY: the frame draws it, since the host
   * page must not read the conversation.
   */
  | { type: 'preview'; height: number }
  /** The customer wants a wider panel, or the usual one. */
  | { type: 'wide'; wide: boolean }
  /** Hide panel and launcher for a screenshot of the page, without closing the panel, or show them again. */
  | { type: 'away'; away: boolean }
  | { type: 'diagnosis'; diagnosis: Diagnosis }
  | { type: 'event'; event: WidgetEvent };

type Shape = Record<string, unknown>;
const isObject = (value: unknown): value is Shape => typeof value === 'object' && value !== null;
const isText = (value: unknown) => value === undefined || typeof value === 'string';
const isCount = (value: unknown) => typeof value === 'number' && value >= 0;

const frameKinds = {
  ...settingKinds,
  origin: 'text',
  page_url: 'text',
  inline: 'flag',
  identify: 'flag',
} as const satisfies Record<keyof FrameSettings, unknown>;

/** The known settings of an unchecked value. Those with a wrong value are left out. */
export const readSettings = (value: unknown): Partial<FrameSettings> => readFields(frameKinds, value);

/** The message with its valid fields; null if it is none, or lacks what it is about. */
export function readHostMessage(value: unknown): HostMessage | null {
  const message = Object(value) as Shape;
  const { type, settings, fields, context, token } = message;
  switch (type) {
    case 'closed':
    case 'dropped':
    case 'identifying':
    case 'identify_failed':
    case 'logout':
    case 'diagnose':
      return { type };
    case 'open':
      return { type, ...readFields(targetKinds, message) };
    case 'update':
      return isObject(settings) ? { type, settings: readSettings(settings) } : null;
    case 'prefill':
      return isObject(fields) ? { type, fields: readFields(prefillKinds, fields) } : null;
    case 'context':
      return { type, context: readFields(contextKinds, context) };
    case 'identify':
      return isToken(token) ? { type, token } : null;
    default:
      return null;
  }
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
  const { type, count, used, event, height, wide, away, version, diagnosis } = Object(value) as Shape;
  return (
    (type === 'ready' && isText(version)) ||
    type === 'open' ||
    type === 'close' ||
    type === 'token' ||
    (type === 'unread' && isCount(count)) ||
    (type === 'preview' && isCount(height)) ||
    (type === 'wide' && typeof wide === 'boolean') ||
    (type === 'away' && typeof away === 'boolean') ||
    (type === 'diagnosis' && isObject(diagnosis)) ||
    (type === 'used' && typeof used === 'boolean') ||
    (type === 'event' && isWidgetEvent(event))
  );
}
