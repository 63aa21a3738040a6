import type { Statement } from 'better-sqlite3';

type Row = Record<string, unknown>;

const knownColumns = new WeakMap<Statement, readonly string[]>();

/**
 * Reads the names again when there are more columns. Another process may have migrated the store, and a migration only
 * adds columns (`schema.test.ts`).
 */
function columnsOf(statement: Statement, count: number): readonly string[] {
  const known = knownColumns.get(statement);
  if (known?.length === count) return known;
  const names = statement.columns().map(({ name }) => name);
  knownColumns.set(statement, names);
  return names;
}

function toRow(names: readonly string[], values: readonly unknown[]): Row {
  const row: Row = {};
  for (let at = 0; at < names.length; at += 1) row[names[at]!] = values[at];
  return row;
}

/**
 * The rows of a statement. `raw()` switches the statement permanently: every later caller gets arrays. Making objects
 * natively takes longer than reading the rows.
 */
export function readRows(statement: Statement, parameters: readonly unknown[]): Row[] {
  const all = statement.raw().all(parameters) as unknown[][];
  if (all.length === 0) return [];
  const names = columnsOf(statement, all[0]!.length);
  return all.map((values) => toRow(names, values));
}
