import { sql, type SqlBool } from 'kysely';

/**
 * Selects operations that are not done; the statement calls the table `name`. Written exactly as in the index
 * `operations_not_done`. Most operations are done, and a ticket may have thousands of them. A condition with a
 * parameter could not use the index.
 */
export const notDone = (name: 'operations' | 'other') => sql<SqlBool>`${sql.ref(`${name}.state`)} != 'done'`;
