import {
  InsertQueryNode,
  type KyselyPlugin,
  type OperationNode,
  RawNode,
  type ReturningNode,
  type RootOperationNode,
  SelectAllNode,
  SelectionNode,
  sql,
  type TableNode,
  UpdateQueryNode,
  ValueNode,
  type ValuesNode,
} from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Store } from '../open.ts';
import { prepare, type Query, type Values } from './prepared.ts';
import { shareStatements } from './shared.ts';

/** In place of the placeholders of `prepare`: the columns of an entry that is written. */
const columns: object = new Proxy({}, { get: (_, name) => sql`(asked.entry).${sql.ref(String(name))}` });

/**
 * The entries of a JSON array as rows of this table. The condition is always true. PostgreSQL assumes that it leaves one
 * entry, and so finds the row of each entry by its id, not by a join that reads the whole table.
 */
const entriesOf = (table: TableNode, json: string): RawNode =>
  RawNode.create(
    [
      '(select entry from json_populate_recordset(null::',
      ', ',
      `) as entry where entry.id = entry.id || '') as asked`,
    ],
    [table, ValueNode.create(json)],
  );

/** Without the entry that the row was updated from. */
const returningRowOf = (table: TableNode, node: ReturningNode): ReturningNode => ({
  ...node,
  selections: node.selections.map((each) =>
    SelectAllNode.is(each.selection) ? SelectionNode.createSelectAllFromTable(table) : each,
  ),
});

/** Makes an `insert` or `update` of one row write one for each entry of `json`. */
const forEachOf = (json: string): KyselyPlugin => ({
  transformQuery({ node }): RootOperationNode {
    if (UpdateQueryNode.is(node)) {
      const table = node.table as TableNode;
      return {
        ...UpdateQueryNode.cloneWithFromItems(node, [entriesOf(table, json)]),
        returning: returningRowOf(table, node.returning!),
      };
    }
    if (!InsertQueryNode.is(node)) throw new Error(`${node.kind} does not write`);
    const entries = entriesOf(node.into!, json);
    const { values } = (node.values as ValuesNode).values[0]! as { values: readonly OperationNode[] };
    const parts = values.map((_, n) => (n === 0 ? 'select ' : ', '));
    return InsertQueryNode.cloneWith(node, {
      values: RawNode.create([...parts, ' from ', ''], [...values, entries]),
    });
  },
  transformResult: async ({ result }) => result,
});

/**
 * Like `prepare`, for a statement that writes one row and that many requests run. On PostgreSQL those of one turn of the
 * event loop are one statement with one commit, which sees the store as it was before. The values are named as the
 * columns that they are for. The statement returns the whole row.
 */
export function prepareWrite<V extends Values & { id: string }, Row extends { id: string }>(
  store: Store,
  build: (values: V) => Query<Row>,
) {
  const single = prepare(build);
  const several = prepare(({ json }: { json: string }) => build(columns as V).withPlugin(forEachOf(json)));

  /** Runs it for each of `values`. Returns the row that each has written; undefined where there is none. */
  async function all(db: Store, values: readonly V[]): Promise<(Row | undefined)[]> {
    if (isPostgres(db) && values.length > 1) {
      // One statement writes a row once. Whoever writes it again comes in the next one.
      const ids = values.map(({ id }) => id);
      const isFirst = (nth: number) => ids.indexOf(ids[nth]!) === nth;
      const json = JSON.stringify(values.filter((_, nth) => isFirst(nth)));
      const rows = await several(db, { json });
      const others = await all(
        db,
        values.filter((_, nth) => !isFirst(nth)),
      );
      return ids.map((id, nth) => (isFirst(nth) ? rows.find((row) => row.id === id) : others.shift()));
    }
    const written: (Row | undefined)[] = [];
    for (const each of values) written.push((await single(db, each))[0]);
    return written;
  }

  const ofTurn = shareStatements((values: V[]) => all(store, values));
  const one = async (db: Store, values: V): Promise<Row | undefined> =>
    db.isTransaction || !isPostgres(db) ? (await single(db, values))[0] : ofTurn(values);
  return Object.assign(one, { all, of: single.of });
}
