import type { Database, Statement } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { LRUCache } from 'lru-cache';

class WritingDriver extends SqliteDriver {
  readonly #database: Database;

  constructor(config: SqliteDialectConfig, database: Database) {
    super(config);
    this.#database = database;
  }

  /**
   * Takes the write lock at the begin. A transaction that has only read could not write after a write of another
   * process: it would fail at once instead of waiting.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** After some errors, such as a full disk, SQLite has done it. Another try would fail, and replace that error. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.inTransaction) await super.rollbackTransaction(connection);
  }
}

/** All migrations run in one transaction. When several processes start together, one of them runs the migrations. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's SQLite, with one connection. Each statement is prepared once. */
export class StoreDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #database: Database;

  constructor(database: Database) {
    const config = { database: { prepare: prepareOnce(database), close: () => void database.close() } };
    super(config);
    this.#config = config;
    this.#database = database;
  }

  override createDriver() {
    return new WritingDriver(this.#config, this.#database);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}

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
