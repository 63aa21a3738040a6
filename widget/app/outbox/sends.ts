import type { ErrorCode } from '../../../shared/contract/errors.ts';
import type {
  Message,
  NewMessage,
  NewTicket,
  OperationState,
  TicketSummary,
} from '../../../shared/contract/tickets.ts';
import type { Store } from '../browser/storage.ts';

/** A file that the customer attaches. `files/` has its content. */
export interface LocalFile {
  key: string;
  name: string;
  /** In bytes. */
  size: number;
  /** Pixels, for a picture that is shown. */
  width?: number;
  height?: number;
}

/** Addresses of pictures in this browser, by the keys of their files. */
export type FileUrls = Readonly<Record<string, string>>;

interface SendBase {
  /** The signed-in customer who wrote it; null: nobody was signed in. Older versions did not store it. */
  owner?: string | null;
  /** Written while nobody was signed in, and declined by who signed in then. Older versions did not store it. */
  is_declined?: boolean;
  /** UUID; the `Idempotency-Key` of every attempt. */
  key: string;
  /** ISO 8601. */
  created_at: string;
  /**
   * If `is_held`, the BFF's state. Else `sending`: the first attempt; `accepted`: will be tried again; `rejected`: refused
   * for good.
   */
  state: OperationState;
  /** True once the BFF has it, so it is not sent again. It stays stored until the conversation shows it. */
  is_held: boolean;
  attempts: number;
  /** Milliseconds since the epoch. */
  retry_at: number;
  error: ErrorCode | null;
  /** It is sent once the payload has the ids of all of them. */
  files?: readonly LocalFile[] | undefined;
  /** Ids that the BFF has refused once: the files are uploaded again. */
  refused_ids?: readonly string[];
}

export interface TicketSend extends SendBase {
  kind: 'ticket';
  payload: NewTicket;
}

export interface MessageSend extends SendBase {
  kind: 'message';
  payload: NewMessage;
  /** As known when the reply was written; `id` is null if the ticket had none yet. */
  ticket: { id: string | null; key: string | null };
}

export type Send = TicketSend | MessageSend;

/** A message on screen. One that is still in this browser can have more error codes than the BFF's messages. */
export type ShownMessage = Omit<Message, 'error'> & {
  error?: ErrorCode | null;
  /** When it is tried again; milliseconds since the epoch. */
  retry_at?: number;
  /** It waits for the upload of its files. */
  waits?: boolean;
};

/** The ticket that a send opens or replies to. */
export const ticketOf = (send: Send): MessageSend['ticket'] =>
  send.kind === 'ticket' ? { id: null, key: send.key } : send.ticket;

export const textOf = (send: Send): string =>
  send.kind === 'ticket' ? send.payload.description : send.payload.body;

/** Errors that concern the conversation, not the text: sending again cannot help. */
export const endings = new Set<ErrorCode | null>(['conversation_merged', 'not_found', 'unauthenticated']);

/** Whether files of it are still to be uploaded. */
export const waitsForFiles = ({ files, payload }: Send): boolean => !!files?.length && !payload.files;

export const asMessage = (send: Send, urls: FileUrls = {}): ShownMessage => ({
  id: null,
  key: send.key,
  author_type: 'customer',
  body: textOf(send),
  created_at: send.created_at,
  state: send.state,
  error: send.error,
  retry_at: send.retry_at,
  can_retry: !send.is_held && send.state === 'rejected' && !endings.has(send.error),
  hidden: false,
  ...(send.files?.length && {
    files: send.files.map((file) => ({ ...file, url: urls[file.key] ?? '' })),
    waits: waitsForFiles(send),
  }),
});

/** The list entry of a ticket that is still in this browser only. */
export const asTicket = ({ key, created_at, state, payload }: TicketSend): TicketSummary => ({
  id: null,
  key,
  ticket_number: null,
  subject: payload.subject,
  status: 'new',
  priority: null,
  created_at,
  updated_at: created_at,
  unread: 0,
  state,
  can_retry: false,
  closed: false,
  preview: { author_type: 'customer', text: payload.description.slice(0, 140) },
});

/** Older versions may have stored other shapes. */
const isSend = (value: unknown): value is Send => {
  const { key, created_at, payload, kind, ticket } = Object(value) as Record<string, unknown>;
  return Boolean(key && created_at && payload && (kind === 'ticket' || ticket));
};

/** Storage name of a send. Each has its own record, so that two tabs cannot overwrite each other's. */
export const nameOf = (key: string) => `send:${key}`;

export const ownerOf = ({ owner = null }: Send): string | null => owner;

/** The owner of a stored value; undefined if it is not a send. */
export const sendOwner = (storage: Store, name: string): string | null | undefined => {
  if (!name.startsWith(nameOf(''))) return undefined;
  return (Object(storage.read(name)) as Partial<Send>).owner ?? null;
};

export function readSend(storage: Store, key: string): Send | undefined {
  const value = storage.read(nameOf(key));
  return isSend(value) ? value : undefined;
}

/** All stored sends, of every owner, oldest first. */
export const readSends = (storage: Store): Send[] =>
  storage
    .names(nameOf(''))
    .map((name) => storage.read(name))
    .filter(isSend)
    .sort((a, b) => a.created_at.localeCompare(b.created_at));
