import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const operations = db.schema.alterTable('operations');
  await operations.addColumn('attempt_age_ms', 'bigint', (c) => c.notNull().defaultTo(0)).execute();
  for (const column of ['due_at', 'started_there'])
    await sql`UPDATE operations SET ${sql.ref(column)} = ROUND(${sql.ref(column)})`.execute(db);
}
