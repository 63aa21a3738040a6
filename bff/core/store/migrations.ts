import { type CreateTableBuilder, type Kysely, type Migration, sql } from 'kysely';
import type { Database } from 'better-sqlite3';
import { isPostgres } from './dialect.ts';

/*
 * Creates and changes the tables of the core, and tells whether a store is of this build. `schema.ts` describes the
 * tables. Extras have tables of their own. An index has its reason in its name or beside it, since each write of a row also
 * writes the indexes of its columns. Each table has a primary key, without which PostgreSQL refuses changes of rows in a
 * database that it publishes to another one.
 */

/** Tables of a store, and how they come into being. */
export interface Schema {
  /** Run in the order of their names. A released one is never edited. */
  migrations: Record<string, Migration>;
  /**
   * The tables that move with a store to another database, with the columns of their keys. Every row comes after the rows
   * that it refers to.
   */
  keys: Record<string, string[]>;
  /** Those whose rows may have megabytes. They are copied one by one. */
  large?: readonly string[];
}

export const coreSchema: Schema = {
  migrations: { 'core-1': { up: createTables } },
  keys: {
    seal_check: ['sealed'],
    subjects: ['id'],
    sessions: ['id'],
    tickets: ['id'],
    grants: ['subject_id', 'ticket_id'],
    listed_tickets: ['id'],
    operations: ['seq'],
    used_once: ['purpose', 'hash'],
    codes: ['session_id'],
    handoffs: ['session_id'],
    transfers: ['token_hash'],
    services: ['url'],
    last_use: ['id'],
    scripts: ['name'],
    script_bodies: ['name', 'coding'],
  },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await createCustomers(db);
  await createTickets(db);
  await createOperations(db);
  await createProofs(db);
  await createScripts(db);
  if (isPostgres(db)) await createLimits(db);
}

type Builder = CreateTableBuilder<string, string>;
type Kind = 'text' | 'integer' | 'bigint';

/** Adds columns that must have a value. */
export const required = (table: Builder, kind: Kind, names: string[]): Builder =>
  names.reduce((made, name) => made.addColumn(name, kind, (c) => c.notNull()), table);

/** Adds columns that may be null. */
export const optional = (table: Builder, kind: Kind, names: string[]): Builder =>
  names.reduce((made, name) => made.addColumn(name, kind), table);

/** Adds counters and flags, which begin at 0. */
export const zero = (table: Builder, names: string[]): Builder =>
  names.reduce((made, name) => made.addColumn(name, 'integer', (c) => c.notNull().defaultTo(0)), table);

/** Adds a column with the key of a row of another table, with which this row is deleted. */
export const partOf = (table: Builder, name: string, owner: string): Builder =>
  table.addColumn(name, 'text', (c) => c.notNull().references(owner).onDelete('cascade'));

const byEnd = (db: Kysely<unknown>, table: string) =>
  db.schema.createIndex(`${table}_by_end`).on(table).column('expires_at').execute();

async function createCustomers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seal_check')
    .addColumn('sealed', 'text', (c) => c.primaryKey().notNull())
    .execute();
  await db.schema
    .createTable('services')
    .addColumn('url', 'text', (c) => c.primaryKey())
    .$call((table) => required(table, 'bigint', ['known_at']))
    .execute();
  await db.schema
    .createTable('last_use')
    .addColumn('id', 'integer', (c) => c.primaryKey())
    .$call((table) => required(table, 'bigint', ['at']))
    .execute();
  await db.schema
    .createTable('subjects')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => optional(table, 'text', ['contact_sealed', 'identity_hash', 'address_hash']))
    .$call((table) => zero(table, ['moved']))
    .$call((table) => required(table, 'integer', ['verified']))
    .$call((table) => required(table, 'bigint', ['created_at']))
    .addColumn('visited_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex('subjects_by_identity')
    .unique()
    .on('subjects')
    .column('identity_hash')
    .execute();
  await db.schema.createIndex('subjects_by_address').on('subjects').column('address_hash').execute();
  // For the removal of customers who do not come any more.
  await db.schema.createIndex('subjects_by_visit').on('subjects').columns(['visited_at', 'id']).execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => partOf(table, 'subject_id', 'subjects.id'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .$call((table) => required(table, 'bigint', ['created_at', 'idle_ms', 'expires_at']))
    .$call((table) => optional(table, 'bigint', ['seen_at']))
    .$call((table) => optional(table, 'text', ['attributes_sealed']))
    .execute();
  await db.schema.createIndex('sessions_by_subject').on('sessions').column('subject_id').execute();
  // For housekeeping: the two ways in which a session ends.
  await byEnd(db, 'sessions');
  await db.schema
    .createIndex('sessions_by_last_use')
    .on('sessions')
    .expression(sql`(coalesce(seen_at, created_at) + idle_ms)`)
    .execute();
}

async function createTickets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tickets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => required(table, 'text', ['facts_sealed']))
    .$call((table) => required(table, 'integer', ['agent_count', 'closed']))
    .$call((table) => required(table, 'bigint', ['read_at']))
    .execute();
  await db.schema
    .createTable('grants')
    .$call((table) => partOf(table, 'subject_id', 'subjects.id'))
    .addColumn('ticket_id', 'text', (c) => c.notNull().references('tickets.id'))
    .$call((table) => required(table, 'bigint', ['created_at']))
    .$call((table) => zero(table, ['read_count', 'trusted', 'colleague']))
    .addPrimaryKeyConstraint('grants_pk', ['subject_id', 'ticket_id'])
    .execute();
  await db.schema.createIndex('grants_by_ticket').on('grants').column('ticket_id').execute();
  await db.schema
    .createTable('listed_tickets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => optional(table, 'text', ['address_hash']))
    .$call((table) => required(table, 'bigint', ['found_at']))
    .execute();
  await db.schema
    .createIndex('listed_tickets_by_address_hash')
    .on('listed_tickets')
    .column('address_hash')
    .where('address_hash', 'is not', null)
    .execute();

  await db.schema
    .createTable('transfers')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .$call((table) => partOf(table, 'from_subject', 'subjects.id'))
    .$call((table) => required(table, 'text', ['from_session']))
    .$call((table) => partOf(table, 'to_subject', 'subjects.id'))
    .$call((table) => required(table, 'bigint', ['expires_at']))
    .execute();
  for (const column of ['from_subject', 'to_subject'])
    await db.schema.createIndex(`transfers_by_${column}`).on('transfers').column(column).execute();
  await byEnd(db, 'transfers');
}

/**
 * A send changes its row three times. Most rows are done, and are found by their holder, or by kind and ticket. So most
 * indexes have only the other rows.
 */
async function createOperations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('operations')
    .addColumn('seq', isPostgres(db) ? 'bigserial' : 'integer', (c) =>
      isPostgres(db) ? c.primaryKey() : c.primaryKey().autoIncrement(),
    )
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('subject_id', 'text', (c) => c.notNull().references('subjects.id'))
    .$call((table) => required(table, 'text', ['session_id']))
    .addColumn('key', 'text', (c) => c.notNull().unique())
    .$call((table) => required(table, 'text', ['kind', 'fingerprint', 'state']))
    .addColumn('ref', 'text', (c) => c.notNull().unique())
    .$call((table) => optional(table, 'text', ['ticket_id', 'opened_by', 'payload_sealed', 'error']))
    .$call((table) => optional(table, 'text', ['seen_ids', 'upstream_id', 'address_hash']))
    .$call((table) => optional(table, 'integer', ['with_ref']))
    .$call((table) => required(table, 'integer', ['attempts']))
    .$call((table) => zero(table, ['fence', 'ambiguous', 'owned']))
    .$call((table) => required(table, 'bigint', ['created_at']))
    .$call((table) => optional(table, 'bigint', ['due_at', 'started_at', 'started_there']))
    .addColumn('attempt_age_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .$call((table) => optional(table, 'bigint', ['lease_until', 'finished_at']))
    .addUniqueConstraint('operations_upstream', ['kind', 'ticket_id', 'upstream_id'])
    .execute();
  const indexes = (name: string) => db.schema.createIndex(name).on('operations');
  await indexes('operations_due').column('due_at').where('due_at', 'is not', null).execute();
  await indexes('operations_leased').column('lease_until').where('lease_until', 'is not', null).execute();
  // What precedes a send in its ticket, also where the ticket has many messages.
  await indexes('operations_not_done')
    .columns(['ticket_id', 'state', 'seq'])
    .where(sql.ref('state'), '!=', 'done')
    .execute();
  await indexes('operations_by_opening').column('opened_by').where('opened_by', 'is not', null).execute();
  await indexes('operations_without_ref').column('fingerprint').where(sql.ref('with_ref'), '=', 0).execute();
  // These refuse the second of two processes that begin a send of one ticket, or two equal ones, at once.
  await indexes('operations_one_underway')
    .unique()
    .column('ticket_id')
    .where(sql.ref('state'), '=', 'sending')
    .execute();
  await indexes('operations_one_of_equals')
    .unique()
    .column('fingerprint')
    .where(sql.ref('state'), '=', 'sending')
    .where(sql.ref('with_ref'), '=', 0)
    .execute();
  // The list of a customer: what they sent to each ticket and when, and what is not delivered.
  await indexes('operations_by_holder').columns(['subject_id', 'ticket_id', 'kind', 'finished_at']).execute();
  await indexes('operations_underway')
    .columns(['subject_id', 'kind', 'seq'])
    .where(sql.ref('state'), '!=', 'done')
    .where(sql.ref('payload_sealed'), 'is not', null)
    .execute();
  await indexes('operations_by_address')
    .column('address_hash')
    .where('address_hash', 'is not', null)
    .execute();
  // For the removal of texts.
  await indexes('operations_with_text')
    .column('finished_at')
    .where(sql.ref('finished_at'), 'is not', null)
    .where(sql.ref('payload_sealed'), 'is not', null)
    .execute();
  await indexes('operations_undecided')
    .column('started_at')
    .where(sql.ref('due_at'), 'is', null)
    .where(sql.ref('finished_at'), 'is', null)
    .execute();
}

/** By which a customer proves who they are. */
async function createProofs(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('used_once')
    .$call((table) => required(table, 'text', ['purpose', 'hash']))
    .$call((table) => required(table, 'bigint', ['expires_at']))
    .addPrimaryKeyConstraint('used_once_pk', ['purpose', 'hash'])
    .execute();
  await db.schema
    .createTable('codes')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .$call((table) => required(table, 'text', ['email_sealed', 'code_hash']))
    .$call((table) => required(table, 'integer', ['tries']))
    .$call((table) => required(table, 'bigint', ['expires_at']))
    .execute();
  await db.schema
    .createTable('handoffs')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .$call((table) => optional(table, 'text', ['device_hash', 'number']))
    .$call((table) => zero(table, ['confirmed']))
    .$call((table) => required(table, 'bigint', ['expires_at']))
    .execute();
  for (const table of ['used_once', 'codes', 'handoffs']) await byEnd(db, table);
}

/** The scripts of this build and of others, for pages that are open across an upgrade. */
async function createScripts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('scripts')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .$call((table) => required(table, 'bigint', ['seen_at']))
    .execute();
  // Apart, so that marking a script as seen does not write its bytes again.
  await db.schema
    .createTable('script_bodies')
    .$call((table) => partOf(table, 'name', 'scripts.name'))
    .$call((table) => required(table, 'text', ['coding']))
    .addColumn('body', isPostgres(db) ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('script_bodies_by_name', ['name', 'coding'])
    .execute();
}

/** Counts of the limits, for several instances. On SQLite they are in a file of their own. */
async function createLimits(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('limits')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .$call((table) => zero(table, ['points']))
    .$call((table) => optional(table, 'bigint', ['expire']))
    .execute();
}

/** The schema of a store compared with the one of this build, by the names of migrations. */
export interface SchemaVersion {
  /** Migrations of this build that were not run yet. */
  pending: string[];
  /** Migrations of another build that this one does not know. */
  unknown: string[];
}

/** `done`: the names of the migrations that were run. */
export const versionOf = (done: readonly string[], { migrations }: Schema): SchemaVersion => ({
  pending: Object.keys(migrations).filter((name) => !done.includes(name)),
  unknown: done.filter((name) => !(name in migrations)),
});

export function schemaVersionOf(sqlite: Database, schema: Schema): SchemaVersion {
  const isNew = !sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get();
  return versionOf(
    isNew ? [] : sqlite.prepare<[], string>('SELECT name FROM kysely_migration').pluck().all(),
    schema,
  );
}

/** @throws when another build has changed the schema */
export function refuseOther({ unknown }: SchemaVersion): void {
  if (unknown.length > 0)
    throw new Error(
      `the store was made by another version of Deskside (${unknown.join(', ')}): use that version, or restore a backup of this one`,
    );
}
