import { hash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';

export type Named<Query extends CompiledQuery> = Query & { name: string };

/**
 * Gives a query whose text does not change a name, by which a database server keeps its plan. It is made from the text: where
 * another process uses the same connection, a name must not run another query.
 */
export const named = <Query extends CompiledQuery>(query: Query): Named<Query> => ({
  ...query,
  name: hash('sha256', query.sql, 'base64url'),
});

/** Undefined for a query that is built each time. */
export const nameOf = (query: CompiledQuery): string | undefined =>
  (query as Partial<Named<CompiledQuery>>).name;
