import type { Generated, Kysely, Selectable } from 'kysely';
import { optional, partOf, required, zero } from '../../../core/store/migrations.ts';

declare module '../../../core/store/schema.ts' {
  interface Tables {
    mails_in: MailInTable;
    mail_pieces: MailPieceTable;
    reply_tokens: ReplyTokenTable;
    mailboxes: MailboxTable;
  }
  interface SealedColumns {
    'mails_in.raw': string;
    'mail_pieces.piece': string;
  }
}

/**
 * A mail that was taken. It is known for as long as an answer to an old mail can still be accepted, so that it is taken once.
 * It is removed with the send that was made of it.
 */
export interface MailInTable {
  /** Keyed hash of what the mail is recognised by. */
  id: string;
  /** `arriving`: not all of it is written yet. `aside`: nothing was made of it, and the operator may look at it. */
  state: 'arriving' | 'waiting' | 'done' | 'aside';
  /** The order in which mails are acted on. Unix milliseconds, each later than the one before of the same process. */
  received_at: number;
  /** The mail as it came, or its beginning, in base64. Null once it is erased, or when nothing of it is kept. */
  raw_sealed: string | null;
  /** Names the pieces that follow the beginning. Null where none do. */
  take: string | null;
  /** What was made of it, or why nothing. */
  reason: string | null;
  /** Keyed hash of the sender's address. Null until it was read. */
  address_hash: string | null;
  /** The send that was made of it. */
  operation_id: string | null;
  /** How often somebody has begun to act on it. */
  attempts: Generated<number>;
  /** Not before. Null: at once. */
  due_at: number | null;
  lease_until: number | null;
  /** Raised by every lease. A process with an older fence changes nothing. */
  fence: Generated<number>;
}

/** A part of a mail, behind its beginning. */
export interface MailPieceTable {
  mail_id: string;
  /** A mail may be taken again after a process has ended while it arrived. Only the pieces that it names count. */
  take: string;
  nth: number;
  /** In base64. */
  piece_sealed: string;
}

/** A token in a mail about a ticket, by which an answer finds it. */
export interface ReplyTokenTable {
  /** The store does not have the token. */
  token_hash: string;
  ticket_id: string;
  /** Keyed hash of the address that it was mailed to. */
  address_hash: string;
  issued_at: number;
}

/** A mailbox that is read over IMAP: how far, and by which process. */
export interface MailboxTable {
  /** A hash of server, user and folder. */
  id: string;
  uid_validity: string | null;
  last_uid: number;
  since: number;
  reader: string | null;
  lease_until: number | null;
}

export type MailInRow = Selectable<MailInTable>;

export const mailInKeys = {
  mails_in: ['id'],
  mail_pieces: ['nth', 'take'],
  reply_tokens: ['token_hash'],
  mailboxes: ['id'],
};

export async function createMailInTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails_in')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => required(table, 'text', ['state']))
    .$call((table) => required(table, 'bigint', ['received_at']))
    .$call((table) => optional(table, 'text', ['raw_sealed', 'take', 'reason', 'address_hash']))
    .addColumn('operation_id', 'text', (c) => c.references('operations.id').onDelete('cascade'))
    .$call((table) => zero(table, ['attempts', 'fence']))
    .$call((table) => optional(table, 'bigint', ['due_at', 'lease_until']))
    .execute();
  // The next to act on, what is set aside, and what is old.
  await db.schema.createIndex('mails_in_by_state').on('mails_in').columns(['state', 'received_at']).execute();
  for (const column of ['operation_id', 'address_hash'])
    await db.schema
      .createIndex(`mails_in_by_${column}`)
      .on('mails_in')
      .column(column)
      .where(column, 'is not', null)
      .execute();

  await db.schema
    .createTable('mail_pieces')
    .$call((table) => partOf(table, 'mail_id', 'mails_in.id'))
    .$call((table) => required(table, 'text', ['take', 'piece_sealed']))
    .$call((table) => required(table, 'integer', ['nth']))
    .addPrimaryKeyConstraint('mail_pieces_pk', ['nth', 'take'])
    .execute();
  await db.schema.createIndex('mail_pieces_by_mail').on('mail_pieces').column('mail_id').execute();

  await db.schema
    .createTable('reply_tokens')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .$call((table) => partOf(table, 'ticket_id', 'tickets.id'))
    .$call((table) => required(table, 'text', ['address_hash']))
    .$call((table) => required(table, 'bigint', ['issued_at']))
    .execute();
  for (const column of ['ticket_id', 'address_hash', 'issued_at'])
    await db.schema.createIndex(`reply_tokens_by_${column}`).on('reply_tokens').column(column).execute();

  await db.schema
    .createTable('mailboxes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => optional(table, 'text', ['uid_validity', 'reader']))
    .$call((table) => required(table, 'bigint', ['last_uid', 'since']))
    .$call((table) => optional(table, 'bigint', ['lease_until']))
    .execute();
}
