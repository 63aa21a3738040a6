import { sql, type SqlBool } from 'kysely';

/**
 * Of an operation, which the statement calls `name`. As the index `operations_not_done` has it: most are done, a ticket may
 * hold thousands of them, and a condition with a parameter would not be served by the index.
 */
export const notDone = (name: 'operations' | 'other') => sql<SqlBool>`${sql.ref(`${name}.state`)} != 'done'`;
