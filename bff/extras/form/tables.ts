import type { Kysely } from 'kysely';
import { required, type Schema } from '../../core/store/migrations.ts';

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

export const formSchema: Schema = {
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
