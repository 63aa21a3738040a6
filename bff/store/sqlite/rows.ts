import type { Statement } from 'better-sqlite3';

type Row = Record<string, unknown>;

/** Copying and filling an object that already has all names is faster than adding the names one by one. */
interface Columns {
  names: readonly string[];
  empty: Row;
}

const knownColumns = new WeakMap<Statement, Columns>();

/**
 * Reads the names again when there are more columns. Another process may have migrated the store, and a migration only
 * adds columns (`schema.test.ts`).
 */
function columnsOf(statement: Statement, count: number): Columns {
  const known = knownColumns.get(statement);
  if (known?.names.length === count) return known;
  const names = statement.columns().map(({ name }) => name);
  const columns = { names, empty: Object.fromEntries(names.map((name) => [name, null])) };
  knownColumns.set(statement, columns);
  return columns;
}

function toRow({ names, empty }: Columns, values: readonly unknown[]): Row {
  const row = { ...empty };
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
  const columns = columnsOf(statement, all[0]!.length);
  return all.map((values) => toRow(columns, values));
}
