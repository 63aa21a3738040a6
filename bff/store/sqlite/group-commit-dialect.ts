import type { Database, Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type LogEvent,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { type CommitGroups, createCommitGroups } from './commit-groups.ts';
import { prepareOnce } from './prepare-once.ts';
import { readRows } from './rows.ts';

function execute<R>(statement: Statement, parameters: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: readRows(statement, parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** Called after each statement. Kysely's own `log` takes as long as a short read, since it waits for several promises. */
export type StatementLog = (event: LogEvent) => void;

interface Shared {
  prepare: (sql: string) => Statement;
  groups: CommitGroups;
  log: StatementLog | undefined;
}

/**
 * A connection that the driver gives to one caller at a time. All of them share the process's single connection to the
 * file.
 */
class SharedConnection implements DatabaseConnection {
  readonly #shared: Shared;
  isInTransaction = false;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { log } = this.#shared;
    const begun = performance.now();
    const spent = () => performance.now() - begun;
    try {
      const result = await this.#execute<R>(query);
      log?.({ level: 'query', query, queryDurationMillis: spent() });
      return result;
    } catch (error) {
      log?.({ level: 'error', error, query, queryDurationMillis: spent() });
      throw error;
    }
  }

  #execute<R>({ sql, parameters }: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> {
    const { prepare, groups } = this.#shared;
    const statement = prepare(sql);
    const run = () => execute<R>(statement, parameters);
    if (this.isInTransaction) return groups.runInTransaction(run);
    return statement.readonly ? groups.read(run) : groups.write(run);
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('results are not streamed');
  }
}

class GroupCommitDriver implements Driver {
  readonly #shared: Shared;
  readonly #free: SharedConnection[] = [];

  constructor(database: Database, log: StatementLog | undefined) {
    this.#shared = { prepare: prepareOnce(database), groups: createCommitGroups(database), log };
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SharedConnection> {
    return this.#free.pop() ?? new SharedConnection(this.#shared);
  }

  async releaseConnection(connection: SharedConnection): Promise<void> {
    this.#free.push(connection);
  }

  async beginTransaction(connection: SharedConnection): Promise<void> {
    await this.#shared.groups.begin();
    connection.isInTransaction = true;
  }

  commitTransaction(connection: SharedConnection): Promise<void> {
    connection.isInTransaction = false;
    return this.#shared.groups.commit();
  }

  /** Kysely also calls this after a failed commit, when there is nothing to roll back. */
  async rollbackTransaction(connection: SharedConnection): Promise<void> {
    if (!connection.isInTransaction) return;
    connection.isInTransaction = false;
    this.#shared.groups.rollback();
  }

  destroy = (): Promise<void> => this.#shared.groups.close();
}

/** All migrations run in one transaction. When several processes start together, one of them runs the migrations. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** SQLite with one connection and group commit. It waits while another process has the lock. */
export class GroupCommitDialect extends SqliteDialect {
  readonly #database: Database;
  readonly #log: StatementLog | undefined;

  constructor(database: Database, log?: StatementLog) {
    super({ database });
    this.#database = database;
    this.#log = log;
  }

  override createDriver(): Driver {
    return new GroupCommitDriver(this.#database, this.#log);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}
