import type { Attributes } from './attributes.ts';
import type { MessageFile } from './files.ts';
import type { FormAnswers } from './form.ts';
import type { RatingState } from './ratings.ts';

export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

/**
 * The state of a send. `accepted`: stored here, not yet at the ticket service. `unknown`: the service may have it,
 * and a read will tell. `done` and `rejected` are final.
 */
export const operationStates = ['accepted', 'sending', 'unknown', 'done', 'rejected'] as const;
export type OperationState = (typeof operationStates)[number];

/** Why a send was refused for good, by the ticket service or by the operator. */
export const refusalCodes = [
  'conversation_merged',
  'not_found',
  'invalid_request',
  'payload_too_large',
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** One message as a customer may see it. */
export interface Message {
  /** The service's id; null until the service has confirmed it. */
  id: string | null;
  /** The `Idempotency-Key` if this customer sent the message here; null for all others. */
  key: string | null;
  author_type: 'customer' | 'agent';
  /** Plain text; empty when `hidden`. */
  body: string;
  /** ISO 8601 UTC; null where the service gave no readable time. */
  created_at: string | null;
  /** `done` for every message that the service has. */
  state: OperationState;
  /** Present when `state` is `rejected`. */
  error?: RefusalCode;
  /** True when the customer may decide to send it again. */
  can_retry: boolean;
  /** A customer message that was sent by other means, withheld until the e-mail address is verified. */
  hidden: boolean;
  /** Missing where it has none. */
  files?: MessageFile[];
  /** It came by mail. */
  by_mail?: true;
  /** The address of somebody else than the customer, who mailed it. */
  mailed_by?: string;
}

/** The fields of a ticket that the ticket service keeps and lists show. Times are ISO 8601 UTC. */
export interface TicketFields {
  ticket_number: number | null;
  subject: string;
  /** As the service names it; `new` is the only known value. */
  status: string;
  priority: string | null;
  created_at: string | null;
  /** Newest activity that the customer may see. */
  updated_at: string | null;
}

/** A ticket as a list shows it. */
export interface TicketSummary extends TicketFields {
  /** Null while the ticket waits to be delivered; `key` then names it. */
  id: string | null;
  /** The `Idempotency-Key` that created it here; null for tickets that were created by other means. */
  key: string | null;
  /** The number of agents' messages that this customer has not had on screen. */
  unread: number;
  /** The state of the operation that creates it; `done` once the service has it. */
  state: OperationState;
  /** Why creation was refused, when `state` is `rejected`. */
  error?: RefusalCode;
  /** True when the customer may decide to send it again. */
  can_retry: boolean;
  /**
   * True when the ticket is known to be merged or gone. It can still be read as last known, and replies are refused.
   * Only a refused reply reveals a merge.
   */
  closed: boolean;
  /** Present when a colleague of this customer has opened it: it can be read, and nothing else. */
  colleague?: true;
  /** Start of the newest message: at most 140 code points. `files`: its files, where it has no text. */
  preview: {
    author_type: Message['author_type'];
    text: string;
    files?: MessageFile[] | undefined;
  } | null;
}

/** A ticket with a part of its conversation. The first message of the whole conversation is the description. */
export interface Ticket extends TicketSummary {
  /**
   * Oldest first, without gaps: up to 50, or all that follow `after`. Messages that are only slightly older than
   * `after` are included, too, together with `after` itself.
   */
  messages: Message[];
  /** Whether the conversation has messages before these. */
  has_earlier: boolean;
  /** The message just after these, as `before` named it by id or key. Null when these are the newest. */
  before: string | null;
  /** The message that these follow, as `after` named it by id or key. Null without one, or when it is unknown. */
  after: string | null;
  /**
   * When the BFF last read this from the service, ISO 8601 UTC. Null when it could not read. `messages` then has only
   * the messages sent here, and messages of others may be missing.
   */
  read_at: string | null;
  /** Missing where the operator asks for no ratings. */
  rating?: RatingState;
}

/** What the page says of itself and of its customer. Only agents see it, and nobody has verified it. */
export interface TicketContext {
  /** Where the customer was. */
  page_url?: string | undefined;
  page_title?: string | undefined;
  /** By `Deskside('context', …)`. */
  attributes?: Attributes | undefined;
}

/** Body of `POST /api/tickets`. */
export interface NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name?: string | undefined;
  priority?: Priority | undefined;
  context?: TicketContext | undefined;
  /** Whether the customer wants a mail when an answer waits. Ignored where the operator offers none. */
  notify?: boolean | undefined;
  /**
   * Tag of the language of mails about the ticket. A language that the widget does not have means English. Without a
   * tag, the languages of the browser decide.
   */
  language?: string | undefined;
  /** A field that is hidden from customers. A request that fills it in needs a proof of work. */
  website?: string | undefined;
  /** Answers to the operator's form. Ignored where there is none. */
  form?: FormAnswers | undefined;
  /** Ids of uploaded files of this customer that no other message has. Ignored where the operator takes none. */
  files?: string[] | undefined;
}

/** Body of `POST /api/tickets/{id}/messages`. */
export interface NewMessage {
  /** May be empty with files. */
  body: string;
  /** As in a new ticket. */
  files?: string[] | undefined;
}

/** Body of `POST /api/tickets/{id}/read`, with the newest message that was on screen. */
export interface ReadMark {
  message_id: string;
}

/** State of one send: `GET /api/operations/{key}`, and the SSE event `operation`. */
export interface Operation {
  key: string;
  kind: 'ticket' | 'message';
  state: OperationState;
  ticket_id: string | null;
  message_id: string | null;
  error?: RefusalCode;
  can_retry: boolean;
}
