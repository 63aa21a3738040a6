import { setTimeout as sleep } from 'node:timers/promises';
import { setImmediate } from 'node:timers';
import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { codeOf } from '../errors.ts';

/*
 * Kysely's driver of SQLite, where the writes and transactions of two turns of the event loop share a commit. A commit waits
 * for the disk, and takes longer than many writes. They run one after the other in one transaction of SQLite, where each
 * transaction of the BFF is a savepoint. All else waits meanwhile, so nobody sees what is not committed. Each of them
 * resolves after the commit. If it fails, they all do.
 */

/** How long SQLite waits for another process, and blocks this one. */
export const busyMs = 20;
/** A write waits longer, without blocking: a second in all. */
const pauseMs = 30;
const maxAttempts = 20;

/** A write, or a transaction. */
interface Member {
  run: () => void | Promise<void>;
  /** Tells its caller that the group is committed, or why it is not. */
  settle: () => void;
  fail: (error: unknown) => void;
}

interface Transaction extends Member {
  end: () => void;
}

/** What a caller has of the one connection to the file. */
interface Use extends DatabaseConnection {
  /** Its own, while that is the one in progress. */
  transaction: Transaction | undefined;
}

/** Other statements, such as a checkpoint, may not be allowed in a transaction. */
const isGrouped = ({ query }: CompiledQuery) => /^(Insert|Update|Delete)QueryNode$/.test(query.kind);

/** A prepared statement with the names of its columns; null if it returns no rows. */
export interface Prepared {
  statement: Database.Statement<unknown[], unknown[]>;
  columns: string[] | null;
}

function rowOf(columns: string[], values: unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let nth = 0; nth < columns.length; nth += 1) row[columns[nth]!] = values[nth];
  return row;
}

export class SharedCommits implements Driver {
  readonly #database: Database.Database;
  readonly #prepare: (sql: string) => Prepared;
  readonly #free: Use[] = [];
  #waiting: Member[] = [];
  /** Resolves when the group in progress is committed, or has failed. */
  #writing: Promise<void> | undefined;
  #lastError: unknown;

  constructor(database: Database.Database, prepare: (sql: string) => Prepared) {
    this.#database = database;
    this.#prepare = prepare;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Use> {
    const use: Use = this.#free.pop() ?? {
      transaction: undefined,
      executeQuery: (query) => this.#execute(query, use) as Promise<never>,
      streamQuery() {
        throw new Error('results are not streamed');
      },
    };
    return use;
  }

  async releaseConnection(use: Use): Promise<void> {
    this.#free.push(use);
  }

  async #execute(query: CompiledQuery, use: Use): Promise<QueryResult<unknown>> {
    if (use.transaction) {
      this.#assertNotLost();
      return this.#run(query);
    }
    if (isGrouped(query)) return this.#write(query);
    while (this.#database.inTransaction) await this.#writing;
    return this.#run(query);
  }

  #run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    try {
      const { statement, columns } = this.#prepare(sql);
      if (columns) return { rows: statement.all(parameters).map((values) => rowOf(columns, values)) };
      const { changes, lastInsertRowid } = statement.run(parameters);
      return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
    } catch (error) {
      this.#lastError = error;
      throw error;
    }
  }

  /** After some errors, such as a full disk, SQLite takes back the whole group. @throws that error */
  #assertNotLost(): void {
    if (!this.#database.inTransaction) throw this.#lastError;
  }

  #write(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return new Promise((resolve, reject) => {
      const member: Member = {
        run: () => {
          try {
            const result = this.#run(query);
            member.settle = () => resolve(result);
          } catch (error) {
            member.settle = () => reject(error);
          }
        },
        settle() {},
        fail: reject,
      };
      this.#join(member);
    });
  }

  #join(member: Member): void {
    this.#waiting.push(member);
    if (this.#waiting.length === 1 && !this.#writing) this.#plan();
  }

  #plan(): void {
    const begin = () => {
      this.#writing = this.#writeWaiting().finally(() => {
        this.#writing = undefined;
        if (this.#waiting.length > 0) this.#plan();
      });
    };
    // Under load the second turn brings more writes, so that fewer commits wait for the disk.
    setImmediate(() => setImmediate(begin));
  }

  /**
   * Takes the write lock now. A transaction that has only read could not write after a write of another process. While
   * another process has the lock, this one goes on with all else.
   * @throws when the lock is not free in time
   */
  async #begin(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#prepare('begin immediate').statement.run();
        return;
      } catch (error) {
        if (!codeOf(error).startsWith('SQLITE_BUSY') || attempt === maxAttempts) throw error;
      }
      await sleep(pauseMs);
    }
  }

  async #writeWaiting(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    try {
      await this.#begin();
      for (const { run } of group) {
        await run();
        this.#assertNotLost();
      }
      this.#prepare('commit').statement.run();
    } catch (error) {
      for (const { fail } of group) fail(error);
      if (this.#database.inTransaction) this.#prepare('rollback').statement.run();
      return;
    }
    for (const { settle } of group) settle();
  }

  beginTransaction(use: Use): Promise<void> {
    return new Promise((begun, reject) => {
      const transaction: Transaction = {
        run: async () => {
          this.#prepare('savepoint one').statement.run();
          await new Promise<void>((end) => {
            use.transaction = Object.assign(transaction, { end });
            begun();
          });
        },
        end() {},
        settle() {},
        fail: reject,
      };
      this.#join(transaction);
    });
  }

  async commitTransaction(use: Use): Promise<void> {
    const transaction = use.transaction!;
    this.#prepare('release one').statement.run();
    use.transaction = undefined;
    await new Promise<void>((settle, fail) => Object.assign(transaction, { settle, fail }).end());
  }

  /** Kysely also calls it after a failed commit, when nothing is left to roll back. */
  async rollbackTransaction(use: Use): Promise<void> {
    if (!use.transaction) return;
    if (this.#database.inTransaction)
      for (const text of ['rollback to one', 'release one']) this.#prepare(text).statement.run();
    use.transaction.end();
    use.transaction = undefined;
  }

  async destroy(): Promise<void> {
    while (this.#writing || this.#waiting.length > 0) await (this.#writing ?? new Promise(setImmediate));
    this.#database.close();
  }
}
