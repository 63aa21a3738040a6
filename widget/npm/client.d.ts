/** A token that your server signed, or a function that gets a fresh one. */
export type Identify = string | (() => Promise<string>);

/**
 * The state of a text: `done` and `rejected` are final. `unknown`: the ticket service may have it, which is being
 * checked.
 */
export type SendState = 'accepted' | 'sending' | 'unknown' | 'done' | 'rejected';

export interface Ticket {
  /** Null while it waits to be delivered; `key` then names it. */
  id: string | null;
  key: string | null;
  ticket_number: number | null;
  subject: string;
  status: string;
  priority: string | null;
  /** ISO 8601 UTC. */
  created_at: string | null;
  updated_at: string | null;
  /** Agents' messages that the customer has not had on screen. */
  unread: number;
  state: SendState;
  /** Why it was refused, when `state` is `rejected`. */
  error?: string;
  can_retry: boolean;
  /** The conversation takes no more replies. */
  closed: boolean;
  /** Present when a colleague of the customer has opened it: it can only be read. */
  colleague?: true;
  /** `files`: of a message that has no text. */
  preview: { author_type: 'customer' | 'agent'; text: string; files?: MessageFile[] | undefined } | null;
}

export interface Message {
  id: string | null;
  /** Names a message that was written here. */
  key: string | null;
  author_type: 'customer' | 'agent';
  /** Plain text. SECURITY: show it as text, never as HTML. */
  body: string;
  created_at: string | null;
  state: SendState;
  error?: string | null;
  /** `sendAgain` may be offered. */
  can_retry: boolean;
  /** The message was sent by other means. Its text is withheld until the customer's address is proven. */
  hidden: boolean;
  files?: MessageFile[];
  /** It came by mail. */
  by_mail?: true;
  /** The address of somebody else than the customer, who mailed it. */
  mailed_by?: string;
}

export interface MessageFile {
  name: string;
  /** In bytes, about. 0: not known. */
  size: number;
  /** Opens without a session. Answers 404 once the file was removed. */
  url: string;
  /** Pixels, if it is a picture that can be shown. */
  width?: number;
  height?: number;
  /** It is such a picture, though its pixels are not known. */
  picture?: true;
}

export interface NewTicket {
  message: string;
  email: string;
  name?: string;
  /** If it is missing, the first sentence of the message. */
  subject?: string;
  priority?: 'low' | 'medium' | 'high' | 'urgent';
  /** What agents read with it, as said by the page; limits as in `Deskside('context', …)`. */
  context?: Record<string, string | number | boolean>;
}

export type FieldFaults = Record<string, 'required' | 'too_long' | 'invalid'>;

/** Everything that you render; a new object at each change. */
export interface ClientState {
  /** Null: there is no customer, or it is not known yet. */
  customer: { email: string; name: string | null; verified: boolean } | null;
  /** Newest first, including tickets that are still being sent. Null until the list has been read. */
  tickets: readonly Ticket[] | null;
  /** Answers that the customer has not had on screen. */
  unread: number;
  /** The conversation that is followed. */
  conversation: {
    /** Id of its ticket, or its key while it has no id. */
    ref: string;
    ticket: Ticket | null;
    /** Oldest first, including messages that are still being sent. */
    messages: readonly Message[];
    hasEarlier: boolean;
    /** Why it could not be read. */
    failure: string | null;
  } | null;
  /** A text that was refused and belongs to no ticket, kept for another attempt. */
  refused: {
    code: string;
    fields: FieldFaults;
    ticket: Record<Exclude<keyof NewTicket, 'context'>, string>;
  } | null;
  /** Whether answers arrive as they are written. False while there is no connection. */
  isCurrent: boolean;
}

/** The details of each event: ids of tickets, never a text. */
export interface ClientEvents {
  'ticket-created': { ticket_id: string | null };
  'message-sent': { ticket_id: string | null };
  'message-received': { ticket_id: string | null };
  /** `frame_unavailable`: this site may not use the client, or there is no connection. `identify_failed`. Others are refusals. */
  error: { code: string };
}

/** The request was refused, and nothing was sent. */
export class ClientError extends Error {
  /** `invalid_request`, with `fields`; `not_found`; `conversation_merged`: it takes no replies; `frame_unavailable`;
   * `destroyed`. */
  code: string;
  fields: FieldFaults;
  constructor(code: string, fields?: FieldFaults);
}

export interface Client {
  readonly state: ClientState;
  /** Called at each change. Returns the unsubscribe function. */
  subscribe: (listen: (state: ClientState) => void) => () => void;
  on: <Name extends keyof ClientEvents>(
    name: Name,
    handle: (detail: ClientEvents[Name]) => void,
  ) => () => void;
  /**
   * Stores the ticket in this browser and sends it once, with retries for as long as necessary. Resolves to its ref
   * once it is stored.
   * @throws {ClientError}
   */
  openTicket: (ticket: NewTicket) => Promise<string>;
  /** The same for a reply. @throws {ClientError} */
  reply: (ref: string, text: string) => Promise<void>;
  /** The customer has this conversation on screen: its answers count as read while the page is visible. Null: none. */
  follow: (ref: string | null) => void;
  /** Reads the page before the oldest message. */
  loadEarlier: () => void;
  /** Sends a message again, by its key, that was refused. */
  sendAgain: (key: string) => void;
  /** Forgets the text in `state.refused`. */
  discard: () => void;
  identify: (proof: Identify) => void;
  /** Ends the session. Call it only when the customer signs out of your site. */
  logout: () => void;
  destroy: () => void;
}

export interface ClientOptions {
  /** Address of your Deskside. It has to name your site in `CLIENT_ORIGINS`. */
  src: string;
  /** BCP 47, for mails; the page's `lang` unless set. */
  locale?: string;
  identify?: Identify;
}

/**
 * Deskside without a widget: your site renders the interface, and Deskside sends, stores and streams. On a server it
 * does nothing.
 */
export function createClient(options: ClientOptions): Client;
