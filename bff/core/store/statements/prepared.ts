import {
  type Compilable,
  type CompiledQuery,
  type Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PrimitiveValueListNode,
  type RawBuilder,
  ValueListNode,
  ValueNode,
} from 'kysely';
import type { Store } from '../open.ts';
import { type Named, named } from './names.ts';

/** What a statement is run with, by name. */
export type Values = Record<string, string | number | null>;

/** A placeholder in a query for a value that is given at each run. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const placeholders: object = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) });

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';

class ConstantsAsLiterals extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return isPlain(node.value) ? ValueNode.createImmediate(node.value) : node;
  }

  protected override transformPrimitiveValueList(node: PrimitiveValueListNode): PrimitiveValueListNode {
    const isList = node.values.every(isPlain);
    return (
      isList ? ValueListNode.create(node.values.map((value) => ValueNode.createImmediate(value))) : node
    ) as PrimitiveValueListNode;
  }
}

const transformer = new ConstantsAsLiterals();

/**
 * Writes a query's own constants into its text. A partial index is used only if the text contains the value. If the
 * value is a parameter, SQLite plans the statement again at each run, which takes up to thirty times as long.
 */
const constantsAsLiterals: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
};

export interface Query<Row> extends Compilable<Row> {
  withPlugin(plugin: KyselyPlugin): Query<Row>;
}

/** A query in SQL, for `prepare`. */
export const inSql = <Row, Tables>(query: RawBuilder<Row>, db: Kysely<Tables>): Query<Row> => ({
  compile: () => query.compile(db),
  withPlugin: (plugin) => inSql(query.withPlugin(plugin), db),
});

/**
 * A query that is built once, because building a query takes longer than running it. `build` gets a placeholder for
 * each value, and must only pass the placeholders on to Kysely. Returns a function that runs it: `db` is the store, or
 * a transaction on it. The function's `of` returns the query with these values, for another function to run.
 */
export function prepare<V extends Values, Row>(build: (values: V) => Query<Row>) {
  let compiled: Named<CompiledQuery<Row>> | undefined;
  function of(values: V): CompiledQuery<Row> {
    const query = (compiled ??= named(
      build(placeholders as V)
        .withPlugin(constantsAsLiterals)
        .compile(),
    ));
    const parameters = query.parameters.map((each) =>
      each instanceof Placeholder ? values[each.name] : each,
    );
    return { ...query, parameters };
  }
  const run = async (db: Store, values: V): Promise<Row[]> => (await db.executeQuery<Row>(of(values))).rows;
  return Object.assign(run, { of });
}
