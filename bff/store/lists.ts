import { sql } from 'kysely';

/**
 * The texts of a JSON array, as the list behind `in`. A statement with it is built and prepared once, however long the
 * list is.
 */
export const listOf = (json: string) => sql<string>`(select value from json_each(${json}))`;
