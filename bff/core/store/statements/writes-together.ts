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
  TableNode,
  UpdateQueryNode,
  ValueNode,
  type ValuesNode,
} from 'kysely';
import { together } from '../../together.ts';
import { isPostgres } from '../dialect.ts';
import { UnreachableError } from '../errors.ts';
import type { Store } from '../open.ts';
import type { OperationRow } from '../schema.ts';
import { prepare, type Query } from './prepared.ts';

/** In place of the placeholders of `prepare`: the columns of an entry that is written. */
const columns: object = new Proxy({}, { get: (_, name) => sql`(asked.entry).${sql.ref(String(name))}` });

/**
 * The entries of a JSON array as rows. The condition is always true. PostgreSQL assumes that it leaves one entry, and
 * so finds the operation of each entry by its id, not by a join that reads the whole table.
 */
const entriesOf = (json: string): RawNode => {
  const [start, end] = [
    '(select entry from json_populate_recordset(null::operations, ',
    `) as entry where entry.id = entry.id || '') as asked`,
  ];
  return RawNode.create([start, end], [ValueNode.create(json)]);
};

/** Without the entry that the operation was updated from. */
const returningOperation = (node: ReturningNode): ReturningNode => ({
  ...node,
  selections: node.selections.map((each) =>
    SelectAllNode.is(each.selection)
      ? SelectionNode.createSelectAllFromTable(TableNode.create('operations'))
      : each,
  ),
});

/** Makes an `insert` or `update` of one operation write one for each entry of `json`. */
const forEachOf = (json: string): KyselyPlugin => ({
  transformQuery({ node }): RootOperationNode {
    const entries = entriesOf(json);
    if (UpdateQueryNode.is(node))
      return {
        ...UpdateQueryNode.cloneWithFromItems(node, [entries]),
        returning: returningOperation(node.returning!),
      };
    if (!InsertQueryNode.is(node)) throw new Error(`${node.kind} does not write`);
    const { values } = (node.values as ValuesNode).values[0]! as { values: readonly OperationNode[] };
    const parts = values.map((_, n) => (n === 0 ? 'select ' : ', '));
    return InsertQueryNode.cloneWith(node, {
      values: RawNode.create([...parts, ' from ', ''], [...values, entries]),
    });
  },
  transformResult: async ({ result }) => result,
});

/**
 * Like `prepare`, for a statement that writes one operation and that many requests run. On PostgreSQL those of one turn
 * of the event loop are one statement with one commit, which sees the store as it was before. If the server refuses it,
 * each runs alone. The values are named as the columns that they are for, and the statement returns the whole row.
 */
export function prepareWrite<
  V extends Pick<OperationRow, 'id'> & Partial<OperationRow>,
  Row extends { id: string },
>(build: (values: V) => Query<Row>) {
  const single = prepare(build);
  const all = prepare(({ json }: { json: string }) => build(columns as V).withPlugin(forEachOf(json)));

  async function writeAll(asked: { db: Store; values: V }[]): Promise<(Row[] | Promise<Row[]>)[]> {
    const alone = () => asked.map(({ db, values }) => single(db, values));
    // A statement writes an operation once at most.
    const areOthers = new Set(asked.map(({ values }) => values.id)).size === asked.length;
    if (asked.length === 1 || !areOthers) return alone();
    try {
      const rows = await all(asked[0]!.db, { json: JSON.stringify(asked.map(({ values }) => values)) });
      return asked.map(({ values }) => rows.filter(({ id }) => id === values.id));
    } catch (error) {
      if (error instanceof UnreachableError) throw error;
      return alone();
    }
  }

  const write = together<{ db: Store; values: V }, Row[] | Promise<Row[]>>(writeAll);
  const run = async (db: Store, values: V): Promise<Row[]> =>
    db.isTransaction || !isPostgres(db) ? single(db, values) : write({ db, values });
  return Object.assign(run, { of: single.of });
}
