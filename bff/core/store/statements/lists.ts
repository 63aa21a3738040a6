import { sql } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Store } from '../open.ts';

/**
 * The texts of a JSON array, as the list for `in`. Such a statement is built and prepared once for lists of any length.
 */
export const listOf = (db: Store, json: string) =>
  isPostgres(db)
    ? sql<string>`(select json_array_elements_text(cast(${json} as json)))`
    : sql<string>`(select value from json_each(${json}))`;
