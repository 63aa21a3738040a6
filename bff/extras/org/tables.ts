import type { Kysely } from 'kysely';
import { optional, partOf, required, type Schema, zero } from '../../core/store/migrations.ts';

declare module '../../core/store/schema.ts' {
  interface Tables {
    org_members: MemberTable;
    org_tickets: OrgTicketTable;
  }
}

/** What the newest token of a customer says of their organisation. */
interface MemberTable {
  subject_id: string;
  /** Keyed hash. Null: none. */
  org_hash: string | null;
  /** 1 when the customer may read the tickets of colleagues. */
  sees: number;
  /** When that token was issued, in Unix seconds. */
  token_at: number;
}

/** A send by which a member opens a ticket of the organisation. */
interface OrgTicketTable {
  operation_id: string;
  /** The member. The send may pass to another holder of the ticket, and this row then ends. */
  subject_id: string;
  org_hash: string;
}

export const orgSchema: Schema = {
  migrations: { 'extra-org-1': { up: createTables } },
  keys: { org_members: ['subject_id'], org_tickets: ['operation_id'] },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('org_members')
    .addColumn('subject_id', 'text', (c) => c.primaryKey().references('subjects.id').onDelete('cascade'))
    .$call((table) => optional(table, 'text', ['org_hash']))
    .$call((table) => zero(table, ['sees']))
    .$call((table) => required(table, 'bigint', ['token_at']))
    .execute();
  await db.schema
    .createIndex('org_members_by_org')
    .on('org_members')
    .column('org_hash')
    .where('org_hash', 'is not', null)
    .execute();
  await db.schema
    .createTable('org_tickets')
    .addColumn('operation_id', 'text', (c) => c.primaryKey().references('operations.id').onDelete('cascade'))
    .$call((table) => partOf(table, 'subject_id', 'subjects.id'))
    .$call((table) => required(table, 'text', ['org_hash']))
    .execute();
  // The newest tickets of an organisation: ids of sends begin with the time.
  await db.schema
    .createIndex('org_tickets_by_org')
    .on('org_tickets')
    .columns(['org_hash', 'operation_id'])
    .execute();
  await db.schema.createIndex('org_tickets_by_subject').on('org_tickets').column('subject_id').execute();
}
