import type { Database, Statement } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely';
import { type CommitGroups, createCommitGroups } from './commit-groups.ts';
import { prepareOnce } from './prepare-once.ts';

const columnNames = new WeakMap<Statement, readonly string[]>();

/**
 * Reads the names again when there are more columns. Another process may have migrated the store, and a migration only
 * adds columns (`schema.test.ts`).
 */
function namesOf(statement: Statement, count: number): readonly string[] {
  const known = columnNames.get(statement);
  if (known?.length === count) return known;
  const names = statement.columns().map(({ name }) => name);
  columnNames.set(statement, names);
  return names;
}

function toRow(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) row[name] = values[at];
  return row;
}

/** Takes the rows as arrays: making objects of them natively takes longer than reading them. */
function readRows(statement: Statement, parameters: readonly unknown[]): Record<string, unknown>[] {
  const all = statement.raw().all(parameters) as unknown[][];
  if (all.length === 0) return [];
  const names = namesOf(statement, all[0]!.length);
  return all.map((values) => toRow(names, values));
}

function execute<R>(statement: Statement, parameters: readonly unknown[]): QueryResult<R> {
  if (statement.reader) return { rows: readRows(statement, parameters) as R[] };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
}

/** What one caller of the driver uses at a time. All share the process's one connection to the file. */
class SharedConnection implements DatabaseConnection {
  readonly #prepare: (sql: string) => Statement;
  readonly #groups: CommitGroups;
  isInTransaction = false;

  constructor(prepare: (sql: string) => Statement, groups: CommitGroups) {
    this.#prepare = prepare;
    this.#groups = groups;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(sql);
    const run = () => execute<R>(statement, parameters);
    if (this.isInTransaction) return this.#groups.runInTransaction(run);
    if (!statement.readonly) return this.#groups.write(run);
    await this.#groups.untilWhole();
    return this.#groups.run(run);
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('results are not streamed');
  }
}

class GroupCommitDriver implements Driver {
  readonly #groups: CommitGroups;
  readonly #prepare: (sql: string) => Statement;
  readonly #free: SharedConnection[] = [];

  constructor(database: Database) {
    this.#groups = createCommitGroups(database);
    this.#prepare = prepareOnce(database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SharedConnection> {
    return this.#free.pop() ?? new SharedConnection(this.#prepare, this.#groups);
  }

  async releaseConnection(connection: SharedConnection): Promise<void> {
    this.#free.push(connection);
  }

  async beginTransaction(connection: SharedConnection): Promise<void> {
    await this.#groups.begin();
    connection.isInTransaction = true;
  }

  commitTransaction(connection: SharedConnection): Promise<void> {
    connection.isInTransaction = false;
    return this.#groups.commit();
  }

  /** Kysely also calls it after a commit that failed: there is nothing left to roll back. */
  async rollbackTransaction(connection: SharedConnection): Promise<void> {
    if (!connection.isInTransaction) return;
    connection.isInTransaction = false;
    this.#groups.rollback();
  }

  destroy = (): Promise<void> => this.#groups.close();
}

/** Migrations run in one transaction: all of them or none, and of processes that start together one makes them. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** SQLite with one connection, group commit, and patience while another process has the lock. */
export class GroupCommitDialect extends SqliteDialect {
  readonly #database: Database;

  constructor(database: Database) {
    super({ database });
    this.#database = database;
  }

  override createDriver(): Driver {
    return new GroupCommitDriver(this.#database);
  }

  override createAdapter() {
    return new TransactionalAdapter();
  }
}
