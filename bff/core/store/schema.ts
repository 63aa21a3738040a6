import type { Generated, Selectable } from 'kysely';
import { random } from 'nanoid';
import { v7 } from 'uuid';
import type { AcceptedMessage, AcceptedTicket } from '../../../shared/contract/accepted.ts';
import type { Attributes } from '../../../shared/contract/attributes.ts';
import type {
  OperationState,
  RefusalCode,
  TicketFields,
  TicketSummary,
} from '../../../shared/contract/tickets.ts';

/**
 * The tables of the core; extras add their own. Times are Unix milliseconds; `*_sealed` columns are encrypted
 * (`seal.ts`).
 */
export interface Tables {
  /** One row. Shows at the start whether this store was sealed with the secret key. */
  seal_check: { sealed: string };
  subjects: SubjectTable;
  sessions: SessionTable;
  tickets: TicketTable;
  grants: GrantTable;
  operations: OperationTable;
  used_once: UsedOnceTable;
  codes: CodeTable;
  handoffs: HandoffTable;
  transfers: TransferTable;
  services: ServiceTable;
  last_use: LastUseTable;
  scripts: ScriptTable;
  script_bodies: ScriptBodyTable;
  listed_tickets: ListedTicketTable;
}

/** A holder of tickets: one anonymous browser, or one customer who has signed in. */
interface SubjectTable {
  id: string;
  /** `{ email, name }` as this subject last typed or proved them. */
  contact_sealed: string | null;
  /** 1 when the address in `contact` is proven. */
  verified: number;
  created_at: number;
  /** Keyed hash of the `sub` of the site's token; null without one. */
  identity_hash: string | null;
  /** Keyed hash of the proven address. */
  address_hash: string | null;
  /** 1 until a visitor has been notified that the owner of the address has claimed their tickets. */
  moved: Generated<number>;
  /** When a browser last acted for this subject, with a precision of a day. */
  visited_at: Generated<number>;
}

interface SessionTable {
  id: string;
  subject_id: string;
  token_hash: string;
  created_at: number;
  /** Null until the browser has sent the token once. Only then is it known to have it. */
  seen_at: number | null;
  /** The session ends when it is not used for this long. */
  idle_ms: number;
  expires_at: number;
  /** What the site's token says of its customer. Null without it. */
  attributes_sealed: string | null;
}

/** The last read of a ticket that somebody holds. */
interface TicketTable {
  id: string;
  facts_sealed: string;
  /** The number of agents' messages so far. With `grants.read_count` it gives the unread count. */
  agent_count: number;
  /** 1 when merged, 2 when the service says that the ticket does not exist, 0 otherwise. */
  closed: number;
  read_at: number;
}

/** A ticket that was opened elsewhere. */
interface ListedTicketTable {
  id: string;
  /** Keyed hash of its customer's address, as last read. Null when it has none. */
  address_hash: string | null;
  found_at: number;
}

interface GrantTable {
  subject_id: string;
  ticket_id: string;
  created_at: number;
  read_count: Generated<number>;
  /** 1 when the ticket was opened under an address that this subject has proven. */
  trusted: Generated<number>;
  /** 1 when a colleague has opened it: the ticket is not the subject's own, and may only be read. */
  colleague: Generated<number>;
}

interface OperationTable {
  /** Order of acceptance. */
  seq: Generated<number>;
  id: string;
  subject_id: string;
  session_id: string;
  key: string;
  kind: 'ticket' | 'message';
  /** Keyed hash of the request. The same key with another payload is refused by it. */
  fingerprint: string;
  /** Null until the service has given the ticket an id, also for a reply that waits for it. */
  ticket_id: string | null;
  /** For a reply to a ticket that had no id yet: the operation that opens the ticket. */
  opened_by: string | null;
  /** Null once delivered and erased. */
  payload_sealed: string | null;
  /** Part of the last line of a ticket's description, by which the ticket is found again. */
  ref: string;
  state: OperationState;
  error: RefusalCode | null;
  attempts: number;
  created_at: number;
  /** When to act on it next. Null when nothing is to be done. */
  due_at: number | null;
  /** When the latest attempt began, or when the send was recorded where the store was set back since. */
  started_at: number | null;
  /** `started_at` by the service's clock. Null when that was not known. */
  started_there: number | null;
  /** The minimum age of the latest attempt, in milliseconds of monotonic clocks. */
  attempt_age_ms: Generated<number>;
  /** For a ticket: 1 when its latest attempt carried the ref, 0 with `TICKET_FOOTER=off`. */
  with_ref: number | null;
  /** Raised by every transition, claim and lease. A change that was decided on an older fence does nothing. */
  fence: Generated<number>;
  /** Until then, only the process with the lease acts on it. Null without a lease. */
  lease_until: number | null;
  /** Ids of the messages that were in the ticket before the attempt, as JSON. */
  seen_ids: string | null;
  /** Its id at the service. A message's id is unique within its ticket only. */
  upstream_id: string | null;
  /** 1 when more than one text at the service matched it. */
  ambiguous: Generated<number>;
  finished_at: number | null;
  /** For a ticket: keyed hash of the address that it was opened under. */
  address_hash: string | null;
  /** For a ticket: 1 once a subject with that proven address had a grant. Then nobody else can claim it. */
  owned: Generated<number>;
}

/**
 * Values that are accepted only once: ids of identity tokens, solved proofs of work, and days, so that only one process a
 * day removes customers. A write check leaves no row.
 */
interface UsedOnceTable {
  purpose: 'identity token' | 'proof of work' | 'retention' | 'write check';
  hash: string;
  expires_at: number;
}

/** The newest code that was mailed for a session. */
interface CodeTable {
  session_id: string;
  email_sealed: string;
  code_hash: string;
  tries: number;
  expires_at: number;
}

/** An offer of one session to one other device. */
interface HandoffTable {
  /** The session that offers. */
  session_id: string;
  secret_hash: string;
  /** The device that asked. Null until one has. */
  device_hash: string | null;
  number: string | null;
  confirmed: Generated<number>;
  expires_at: number;
}

/** Tickets from before a sign-in that are offered to the customer in one browser. */
interface TransferTable {
  /** The token of the browser's session, which may have ended. A browser that still has the token keeps the offer. */
  token_hash: string;
  /** The anonymous subject that holds the tickets. */
  from_subject: string;
  /** The session in which the browser acted for that subject. It has ended. */
  from_session: string;
  /** The customer to whom they are offered. */
  to_subject: string;
  expires_at: number;
}

/** Ticket services, by `SUPPORT_API_URL`, that have answered like a v1 service. */
interface ServiceTable {
  url: string;
  known_at: number;
}

/** When a server last said that it uses the store, in Unix milliseconds. At most one row; none in a backup. */
interface LastUseTable {
  id: 1;
  at: number;
}

/** A script of the widget under a name that changes with its content, of this build or another one. */
interface ScriptTable {
  name: string;
  /** When an instance with this script was last known to run. */
  seen_at: number;
}

interface ScriptBodyTable {
  name: string;
  /** `br`, `gzip` or `identity`. */
  coding: string;
  body: Uint8Array;
}

export type OperationRow = Selectable<OperationTable>;
export type SessionRow = Selectable<SessionTable>;
export type SubjectRow = Selectable<SubjectTable>;

/** The content of the sealed columns. */
export interface SealedColumns {
  'seal_check.sealed': true;
  'subjects.contact': Contact;
  'sessions.attributes': Attributes;
  'tickets.facts': TicketFacts;
  'operations.payload': AcceptedTicket | AcceptedMessage;
  'codes.email': string;
}

export interface Contact {
  email: string;
  name: string | null;
}

/** The facts of a ticket that lists show, as last read. */
export interface TicketFacts extends TicketFields {
  preview: TicketSummary['preview'];
}

/**
 * A new id for a row: a UUID of version 7, which begins with the time. Ids of about the same time are neighbours in an
 * index, so they change few of its pages. Random ids change a page each. SECURITY: an id must not serve as a secret.
 */
export const newRowId = (): string => v7({ random: random(16) });
