import { type Kysely, PostgresAdapter } from 'kysely';

/** Whether this is PostgreSQL, and not SQLite. */
export const isPostgres = <Tables>(db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;
