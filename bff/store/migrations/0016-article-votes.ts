import type { Kysely } from 'kysely';

/** Whether articles helped: counts by day, without data about the voters. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('article_votes')
    .addColumn('article', 'text', (c) => c.notNull())
    .addColumn('day', 'text', (c) => c.notNull())
    .addColumn('helped', 'integer', (c) => c.notNull())
    .addColumn('not_helped', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('article_votes_pk', ['article', 'day'])
    .execute();
  await db.schema.createIndex('article_votes_by_day').on('article_votes').column('day').execute();
}
