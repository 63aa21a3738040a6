import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { CompiledQuery, type DatabaseConnection, type Driver, SqliteDialect, SqliteDriver } from 'kysely';

/** How long a write waits for another process that holds the store. */
const maxBusyMs = 500;
const retryMs = 10;

const isBusy = (error: unknown) => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');

/**
 * One connection that never blocks the process for another one's lock. A statement that finds the store locked has done
 * nothing: it is tried again, and meanwhile others have the connection.
 */
class PatientDriver extends SqliteDriver {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database });
    this.#database = database;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    return {
      executeQuery: (query) => this.#patiently(() => connection.executeQuery(query)),
      streamQuery: (query, chunkSize) => connection.streamQuery(query, chunkSize),
    };
  }

  /**
   * Takes the write lock as a transaction begins: one that has only read could not write after another process has, and
   * would fail at once instead of waiting its turn. Nothing after it can find the store locked.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // SQLite itself ends a transaction for which the disk has no room; that error is the one to tell.
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }

  async #patiently<T>(run: () => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + maxBusyMs;
    for (;;) {
      try {
        return await run();
      } catch (error) {
        if (!isBusy(error) || this.#database.inTransaction || performance.now() >= giveUpAt) throw error;
      }
      await this.releaseConnection();
      await sleep(retryMs);
      await super.acquireConnection();
    }
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
}
