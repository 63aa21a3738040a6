import type { FormAnswers } from './form.ts';

export const priorities = ['low', 'medium', 'high', 'urgent'] as const;
export type Priority = (typeof priorities)[number];

/**
 * Where a send stands. `accepted`: durable here, not yet at the ticket service. `unknown`: the service may have it;
 * settled by reading. `done` and `rejected` are final.
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
  /** The `Idempotency-Key` of a message sent here by this customer; null for all others. */
  key: string | null;
  author_type: 'customer' | 'agent';
  /** Plain text; empty when `hidden`. */
  body: string;
  /** ISO 8601 UTC; null where the service gave no readable time. */
  created_at: string | null;
  /** `done` for everything that the service holds. */
  state: OperationState;
  /** Present when `state` is `rejected`. */
  error?: RefusalCode;
  /** True when the customer may decide to send it again. */
  can_retry: boolean;
  /** A customer message that came another way, withheld until the e-mail address is verified. */
  hidden: boolean;
}

/** A ticket as a list shows it. */
export interface TicketSummary {
  /** Null while the ticket waits to be delivered; `key` then names it. */
  id: string | null;
  /** The `Idempotency-Key` that created it here; null for tickets that came another way. */
  key: string | null;
  ticket_number: number | null;
  subject: string;
  /** As the service says it: `new` is the only known value. */
  status: string;
  priority: string | null;
  created_at: string | null;
  /** Newest activity that this customer may see; ISO 8601 UTC. */
  updated_at: string | null;
  /** Agents' messages that this customer has not had on screen. */
  unread: number;
  /** The state of the operation that creates it; `done` once the service holds it. */
  state: OperationState;
  /** Why creation was refused, when `state` is `rejected`. */
  error?: RefusalCode;
  /** True when the customer may decide to send it again. */
  can_retry: boolean;
  /**
   * True when the ticket is known to be merged or gone: it can be read here as last known, replies are refused. A merge
   * shows only by a refused reply.
   */
  closed: boolean;
  /** Start of the newest message: at most 140 code points. */
  preview: { author_type: Message['author_type']; text: string } | null;
}

/** A ticket with a part of its public conversation; the description is the first message of the whole. */
export interface Ticket extends TicketSummary {
  /**
   * Oldest first, and none between them is left out: up to 50, or all that follow `after`, and where others are hardly
   * older than that one, these and itself, too.
   */
  messages: Message[];
  /** Whether the conversation has messages before these. */
  has_earlier: boolean;
  /** The message right behind these, as it was asked for by id or key; null: these are the newest. */
  before: string | null;
  /** The message that these go on from, as it was asked for by id or key; null when none was, or it is unknown. */
  after: string | null;
  /**
   * When the BFF last read this from the service, ISO 8601 UTC. Null when it could not: then `messages` are those sent
   * here, and what others wrote may be missing.
   */
  read_at: string | null;
}

/** Body of `POST /api/tickets`. */
export interface NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name?: string | undefined;
  priority?: Priority | undefined;
  /** Where the customer was; shown to agents only. */
  context?: { page_url?: string | undefined } | undefined;
  /** The customer wants a mail when an answer waits. Without effect where the operator offers none. */
  notify?: boolean | undefined;
  /**
   * Tag of the language of mails about the ticket; English for one that the widget does not have. Without it the
   * languages of the browser decide.
   */
  language?: string | undefined;
  /** A field that no customer sees: whoever fills it in has to give a proof of work. */
  website?: string | undefined;
  /** Answers to what the operator's form asks. Without effect where there is none. */
  form?: FormAnswers | undefined;
}

/** Body of `POST /api/tickets/{id}/messages`. */
export interface NewMessage {
  body: string;
}

/** Body of `POST /api/tickets/{id}/read`: the newest message that was on screen. */
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
