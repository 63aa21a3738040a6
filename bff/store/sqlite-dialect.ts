import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Statement } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';

/** How long a write waits for the lock of another process, or for its turn in this one. */
const maxBusyMs = 2_000;
/** Random, so that two processes do not retry at the same moments. */
const retryMs = () => 2 + Math.random() * 10;

/** More than the BFF has; lists of different lengths make statements of their own. */
const maxPrepared = 500;

const isBusy = (error: unknown) => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');

/** Preparing a statement takes longer than running most of them. */
function prepareOnce(database: Database): (sql: string) => Statement {
  const prepared = new LRUCache<string, Statement>({ max: maxPrepared });
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
}

/**
 * One connection that never blocks the process while another process has the lock. A statement that finds the store
 * locked has done nothing: it is tried again, and other statements use the connection meanwhile.
 */
class PatientDriver extends SqliteDriver {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database: { prepare: prepareOnce(database), close: () => database.close() } });
    this.#database = database;
  }

  override async init(): Promise<void> {
    await super.init();
    const connection = await super.acquireConnection();
    const execute = connection.executeQuery.bind(connection);
    connection.executeQuery = <R>(query: CompiledQuery) => {
      try {
        return execute<R>(query);
      } catch (error) {
        return this.#retry(() => execute<R>(query), error);
      }
    };
    await super.releaseConnection();
  }

  /**
   * Takes the write lock as a transaction begins: one that has only read could not write after another process has, and
   * would fail at once instead of waiting its turn. Nothing after it can find the store locked.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite itself rolls back when the disk is full; the first error is the one to report.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  /** SQLite answers at once, and so throws before there is a promise. */
  async #retry<T>(run: () => Promise<T>, firstError: unknown): Promise<T> {
    const giveUpAt = performance.now() + maxBusyMs;
    let error = firstError;
    while (isBusy(error) && !this.#database.inTransaction && performance.now() < giveUpAt) {
      await this.releaseConnection();
      await sleep(retryMs());
      await this.acquireConnection();
      try {
        return await run();
      } catch (next) {
        error = next;
      }
    }
    throw error;
  }
}

/** Migrations run in one transaction: all of them or none, and of processes that start together one makes them. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export class PatientSqliteDialect extends SqliteDialect {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new PatientDriver(this.#database);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}
