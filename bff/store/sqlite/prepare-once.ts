import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

/** More statements than the BFF has. Lists of different lengths result in different statements. */
const maxPrepared = 500;

/** Preparing a statement takes longer than running most of them. */
export function prepareOnce(database: Database): (sql: string) => Statement {
  const prepared = new LRUCache<string, Statement>({ max: maxPrepared });
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}
