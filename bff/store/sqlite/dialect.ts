import type { Database } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { prepareOnce } from './prepare-once.ts';

class WritingDriver extends SqliteDriver {
  /**
   * Takes the write lock at the begin. A transaction that has only read could not write after a write of another
   * process: it would fail at once instead of waiting.
   */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
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

  constructor(database: Database) {
    const config = { database: { prepare: prepareOnce(database), close: () => void database.close() } };
    super(config);
    this.#config = config;
  }

  override createDriver() {
    return new WritingDriver(this.#config);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}
