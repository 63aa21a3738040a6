import type { CompiledQuery } from 'kysely';

export type Named<Query extends CompiledQuery> = Query & { name: string };
let lastName = 0;

/** Gives a query whose text does not change a name, by which a database server keeps its plan. */
export const named = <Query extends CompiledQuery>(query: Query): Named<Query> => ({
  ...query,
  name: `s${(lastName += 1)}`,
});

/** Undefined for a query that is built each time. */
export const nameOf = (query: CompiledQuery): string | undefined =>
  (query as Partial<Named<CompiledQuery>>).name;
