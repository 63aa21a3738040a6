import type { Compilable, CompiledQuery } from 'kysely';
import type { Store } from './open.ts';

type Values = Record<string, string | number | null>;

/** Stands in a query for a value that each run gives. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders: object = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

/**
 * A query that is built once: building one takes longer than running it. `build` gets a placeholder for each value, so it
 * must only pass them on to Kysely. Returns a function that runs it: `db` is the store, or a transaction on it. Its `of`
 * gives the query with these values to who runs it.
 */
export function prepare<V extends Values, Row>(build: (values: V) => Compilable<Row>) {
  let compiled: CompiledQuery<Row> | undefined;
  function of(values: V): CompiledQuery<Row> {
    const query = (compiled ??= build(placeholders as V).compile());
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name] : each,
    );
    return { ...query, parameters };
  }
  const run = async (db: Store, values: V): Promise<Row[]> => (await db.executeQuery<Row>(of(values))).rows;
  return Object.assign(run, { of });
}
