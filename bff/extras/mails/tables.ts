import type { Generated, Kysely, Selectable } from 'kysely';
import { optional, partOf, required, type Schema, zero } from '../../core/store/migrations.ts';
import { createMailInTables, mailInKeys } from './in/tables.ts';

declare module '../../core/store/schema.ts' {
  interface Tables {
    notices: NoticeTable;
    silent_addresses: SilentAddressTable;
  }
  interface SealedColumns {
    'notices.contact': NoticeContact;
  }
}

/** The mails about a ticket to the address that it was opened under. */
export interface NoticeTable {
  ticket_id: string;
  /** `confirmation`: sent once, then the row is removed. `answer`: sent whenever an answer waits. */
  kind: 'confirmation' | 'answer';
  /** The recipient's address and language. */
  contact_sealed: string;
  address_hash: string;
  /** The hash of the address without the part after a plus sign. */
  mailbox_hash: string;
  /** The known number of agents' messages. */
  answers: Generated<number>;
  /** How many of them need no mail any more. */
  mailed_answers: Generated<number>;
  /** How many are covered by a mail that is being sent, or may have been sent. Null without one. */
  sending_answers: number | null;
  /** Since when an answer waits for a mail. Null when none does. */
  waiting_since: number | null;
  due_at: number | null;
  mailed_at: number | null;
  /** Failed attempts for the waiting mail. */
  attempts: Generated<number>;
  /** Raised by every lease. A process with an older fence changes nothing. */
  fence: Generated<number>;
  lease_until: number | null;
  /** When a message of the customer or an answer last came. */
  changed_at: number;
  /** When the ticket is read next for mails. Null: not at all. */
  look_at: number | null;
  look_until: number;
  /** Keyed hash of the ticket's entry in the list of tickets. */
  listed_hash: string | null;
}

/** An address, or its mailbox, that gets no more mails about tickets. */
export interface SilentAddressTable {
  address_hash: string;
  reason: 'unsubscribed' | 'bounced';
  created_at: number;
}

export type NoticeRow = Selectable<NoticeTable>;

/** The content of `contact_sealed` of a notice. */
export interface NoticeContact {
  email: string;
  /** A language tag, not validated. */
  language: string;
}

export const mailSchema: Schema = {
  migrations: { 'extra-mails-1': { up: createTables }, 'extra-mails-2': { up: createMailInTables } },
  keys: { notices: ['ticket_id', 'kind'], silent_addresses: ['address_hash'], ...mailInKeys },
  large: ['mails_in', 'mail_pieces'],
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notices')
    .$call((table) => partOf(table, 'ticket_id', 'tickets.id'))
    .$call((table) => required(table, 'text', ['kind', 'contact_sealed', 'address_hash', 'mailbox_hash']))
    .$call((table) => zero(table, ['answers', 'mailed_answers', 'attempts', 'fence']))
    .$call((table) => optional(table, 'integer', ['sending_answers']))
    .$call((table) => optional(table, 'bigint', ['waiting_since', 'due_at', 'mailed_at', 'lease_until']))
    .$call((table) => optional(table, 'bigint', ['look_at']))
    .$call((table) => required(table, 'bigint', ['changed_at', 'look_until']))
    .$call((table) => optional(table, 'text', ['listed_hash']))
    .addPrimaryKeyConstraint('notices_pk', ['ticket_id', 'kind'])
    .execute();
  for (const column of ['due_at', 'look_at'])
    await db.schema
      .createIndex(`notices_by_${column}`)
      .on('notices')
      .column(column)
      .where(column, 'is not', null)
      .execute();
  for (const column of ['address_hash', 'mailbox_hash'])
    await db.schema.createIndex(`notices_by_${column}`).on('notices').column(column).execute();
  await db.schema
    .createTable('silent_addresses')
    .addColumn('address_hash', 'text', (c) => c.primaryKey())
    .$call((table) => required(table, 'text', ['reason']))
    .$call((table) => required(table, 'bigint', ['created_at']))
    .execute();
}
