import { type Kysely, PostgresAdapter, sql } from 'kysely';

/* What the two databases write differently in a statement. */

/** Whether the database is PostgreSQL. Otherwise it is SQLite. */
export const isPostgres = <Tables>(db: Kysely<Tables>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter;

/**
 * The texts of a JSON array, as the list for `in`. Such a statement is built and prepared once for lists of any length.
 * The condition for PostgreSQL is always true. It assumes that the condition leaves one text, and so finds the rows by
 * an index.
 */
export const listOf = <Tables>(db: Kysely<Tables>, json: string) =>
  isPostgres(db)
    ? sql<string>`(select value from json_array_elements_text(cast(${json} as json)) where value = value || '')`
    : sql<string>`(select value from json_each(${json}))`;

/** Locks a row that a statement reads for a decision. Nobody changes or removes the row until the statement is done. */
export const lockForShare = <Query extends { forShare(): Query }, Tables>(
  query: Query,
  db: Kysely<Tables>,
): Query => (isPostgres(db) ? query.forShare() : query);
