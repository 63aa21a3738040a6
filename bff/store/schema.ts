import type { Generated, Selectable } from 'kysely';
import type { Message, NewMessage, NewTicket, OperationState, RefusalCode } from '../contract/tickets.ts';

/** Times are Unix milliseconds; `*_sealed` columns are encrypted (`seal.ts`). */
export interface Tables {
  /** One row: tells at the start whether the secret key is the one that sealed this store. */
  seal_check: { sealed: string };
  subjects: SubjectTable;
  sessions: SessionTable;
  tickets: TicketTable;
  grants: GrantTable;
  operations: OperationTable;
}

/** Whoever holds tickets: one anonymous browser, or one verified customer. */
interface SubjectTable {
  id: string;
  /** `{ email, name }` as this subject typed or proved it. */
  contact_sealed: string | null;
  verified: number;
  created_at: number;
}

interface SessionTable {
  id: string;
  subject_id: string;
  token_hash: string;
  created_at: number;
  /** Null until the browser has shown the token once: only then is it known to have it. */
  seen_at: number | null;
  expires_at: number;
}

/** What was last read of a ticket that somebody here holds. */
interface TicketTable {
  id: string;
  facts_sealed: string;
  /** Agents' messages so far; with `grants.read_count` it gives the unread count. */
  agent_count: number;
  /** 1 when merged or gone. */
  closed: number;
  read_at: number;
}

interface GrantTable {
  subject_id: string;
  ticket_id: string;
  created_at: number;
  read_count: Generated<number>;
}

interface OperationTable {
  /** Order of acceptance. */
  seq: Generated<number>;
  id: string;
  subject_id: string;
  session_id: string;
  key: string;
  kind: 'ticket' | 'message';
  /** Keyed hash of the request: the same key with another payload is refused by it. */
  fingerprint: string;
  /** Null for a ticket until the service has given its id. */
  ticket_id: string | null;
  /** Null once delivered and erased. */
  payload_sealed: string | null;
  /** Stands in the last line of a ticket's description; found again by it. */
  ref: string;
  state: OperationState;
  error: RefusalCode | null;
  attempts: number;
  created_at: number;
  /** When to look at it next; null when nothing is to be done. */
  due_at: number | null;
  /** When the latest attempt began. */
  started_at: number | null;
  /** Ids of the ticket's customer messages before the attempt, as JSON. */
  seen_ids: string | null;
  upstream_id: string | null;
  finished_at: number | null;
}

export type OperationRow = Selectable<OperationTable>;
export type SessionRow = Selectable<SessionTable>;

/** What the sealed columns hold. */
export interface SealedColumns {
  'seal_check.sealed': true;
  'subjects.contact': Contact;
  'tickets.facts': TicketFacts;
  'operations.payload': NewTicket | NewMessage;
}

export interface Contact {
  email: string;
  name: string | null;
}

/** What a list shows of a ticket, as last read; times are ISO 8601 UTC. */
export interface TicketFacts {
  ticket_number: number | null;
  subject: string;
  status: string;
  priority: string | null;
  created_at: string | null;
  updated_at: string | null;
  preview: { author_type: Message['author_type']; text: string } | null;
}
