import type { Kysely } from 'kysely';
import type { Consent } from '../../../shared/contract/form.ts';
import { isoTime } from '../../core/clock.ts';
import { required, type Schema } from '../../core/store/migrations.ts';
import type { Store } from '../../core/store/open.ts';
import { listOf } from '../../core/store/dialect.ts';

/* The consents that customers gave with their tickets: their table, and all statements about it. */

declare module '../../core/store/schema.ts' {
  interface Tables {
    consents: ConsentTable;
  }
}

/** The consent that was given with a ticket, by its sentence. */
interface ConsentTable {
  operation_id: string;
  text_sha256: string;
  given_at: number;
}

export const consentSchema: Schema = {
  migrations: { 'extra-form-1': { up: createTables } },
  keys: { consents: ['operation_id'] },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('consents')
    .addColumn('operation_id', 'text', (c) => c.primaryKey().references('operations.id').onDelete('cascade'))
    .$call((table) => required(table, 'text', ['text_sha256']))
    .$call((table) => required(table, 'bigint', ['given_at']))
    .execute();
}

/** Records the consent that was given with a send. `db`: the transaction that records the send. */
export async function addConsent(
  operationId: string,
  { text_sha256, given_at }: Consent,
  db: Store,
): Promise<void> {
  const values = { operation_id: operationId, text_sha256, given_at: Date.parse(given_at) };
  await db.insertInto('consents').values(values).execute();
}

/** The consents that customers gave with a ticket, kept as long as its send is recorded. By operation. */
export async function consentsOf(
  operationIds: readonly string[],
  store: Store,
): Promise<Map<string, Consent>> {
  const rows = await store
    .selectFrom('consents')
    .selectAll()
    .where('operation_id', 'in', listOf(store, JSON.stringify(operationIds)))
    .execute();
  return new Map(
    rows.map(({ operation_id, text_sha256, given_at }) => [
      operation_id,
      { text_sha256, given_at: isoTime(given_at) },
    ]),
  );
}
