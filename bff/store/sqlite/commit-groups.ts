import { setImmediate } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { type Deferred, defer } from './deferred.ts';
import { createLogSync } from './log-sync.ts';
import { createReadGroups } from './read-groups.ts';
import { createTurn } from './turn.ts';

/** After this time a group does not wait for more writes. */
const maxGroupMs = 5;
/** How long a write waits for the lock of another process. */
const maxBusyMs = 2_000;
/** Random, so that two processes do not retry at the same moments. */
const retryMs = () => 2 + Math.random() * 10;

const isBusy = (error: unknown) => String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY');

/** The writes that share one commit. */
interface Group {
  /** For its reads: settled by its commit. */
  committed: Deferred;
  /** For its writes: settled once it is on the disk. */
  stored: Deferred;
  /** How many writes and transactions have joined it. */
  size: number;
}

/**
 * Group commit: writes that arrive within a few turns of the event loop share one commit. A write resolves when its
 * group is on the disk, and rejects when the group could not be written. A group is one SQLite transaction, and each
 * transaction in the group is a savepoint.
 *
 * A read waits for the commit of an open group, and is run again if that fails. So only a power cut, within the moment
 * until the commit is on the disk, can take back what it has shown.
 */
export function createCommitGroups(database: Database, log = createLogSync(database)) {
  const beginGroup = database.prepare('begin immediate');
  const commitGroup = database.prepare('commit');
  const rollbackGroup = database.prepare('rollback');
  const savepoint = database.prepare('savepoint one');
  const release = database.prepare('release one');
  const rollbackTo = database.prepare('rollback to one');
  const reads = createReadGroups(database);
  const turn = createTurn();
  let group: Group | null = null;
  let transaction: { group: Group; ended: Deferred } | null = null;

  /** Does not block the process while another process has the lock. */
  async function beginPatiently(): Promise<Group> {
    const giveUpAt = performance.now() + maxBusyMs;
    for (;;) {
      try {
        reads.end();
        beginGroup.run();
        group = { committed: defer(), stored: defer(), size: 1 };
        return group;
      } catch (error) {
        if (!isBusy(error) || performance.now() >= giveUpAt) throw error;
      }
      await sleep(retryMs());
    }
  }

  /** The current group. Only for the caller that has the turn. */
  async function join(): Promise<Group> {
    if (group) {
      group.size += 1;
      return group;
    }
    const begun = await beginPatiently();
    // The members of the group report the error. It may have no reads, and no writes if all of them have failed.
    for (const { promise } of [begun.committed, begun.stored]) promise.catch(() => {});
    commitOnceComplete(begun, performance.now() + maxGroupMs);
    return begun;
  }

  /**
   * Commits after a turn of the event loop that brings no more writes, or after the time `latest`. A commit takes as
   * long as several writes, so few large groups are faster.
   */
  function commitOnceComplete(whole: Group, latest: number): void {
    const { size } = whole;
    setImmediate(() => {
      if (whole.size > size && performance.now() < latest) commitOnceComplete(whole, latest);
      else void commitInTurn(whole);
    });
  }

  function fail({ committed, stored }: Group, error: unknown): void {
    group = null;
    committed.reject(error);
    stored.reject(error);
  }

  /** Only for the caller that has the turn. */
  function commitWhole(whole: Group): void {
    try {
      log.assertWorks();
      commitGroup.run();
    } catch (error) {
      fail(whole, error);
      if (database.inTransaction) rollbackGroup.run();
      return;
    }
    group = null;
    whole.committed.resolve();
    void log.sync().then(whole.stored.resolve, whole.stored.reject);
  }

  async function commitInTurn(whole: Group): Promise<void> {
    await turn.take();
    try {
      if (group === whole) commitWhole(whole);
    } finally {
      turn.release();
    }
  }

  /** Runs a statement at once. When the disk is full, SQLite itself may roll back the whole group. */
  function run<T>(statement: () => T): T {
    try {
      return statement();
    } catch (error) {
      if (group && !database.inTransaction) fail(group, error);
      throw error;
    }
  }

  /**
   * Runs a reading statement, after the transaction in progress, whose unfinished writes nobody else may see. Resolves
   * after the commit of the group that it ran in.
   */
  function read<T>(statement: () => T): T | Promise<T> {
    if (transaction) return transaction.ended.promise.then(() => read(statement));
    const seen = group;
    if (!seen) {
      reads.join();
      return run(statement);
    }
    const result = run(statement);
    return seen.committed.promise.then(
      () => result,
      () => read(statement),
    );
  }

  function endTransaction(): Group {
    const ended = transaction!;
    transaction = null;
    ended.ended.resolve();
    turn.release();
    return ended.group;
  }

  return {
    read,

    /** Runs a statement in the transaction in progress. */
    runInTransaction<T>(statement: () => T): T {
      // Otherwise the statement would be committed although its transaction is lost.
      if (!database.inTransaction) throw new Error('the transaction has been rolled back');
      return run(statement);
    },

    /** Runs a writing statement. Resolves once the write is on the disk. */
    async write<T>(statement: () => T): Promise<T> {
      await turn.take();
      let joined: Group;
      let result: T;
      try {
        joined = await join();
        // A failed read may have ended the group meanwhile.
        if (group !== joined) await joined.stored.promise;
        result = run(statement);
      } finally {
        turn.release();
      }
      await joined.stored.promise;
      return result;
    },

    /**
     * Begins a transaction. Nothing else runs until it ends, so it must not wait for anything else. It takes the write
     * lock now: a transaction that has only read could not write after a write of another process, and would fail at
     * once instead of waiting.
     */
    async begin(): Promise<void> {
      await turn.take();
      try {
        const joined = await join();
        if (group !== joined) await joined.stored.promise;
        run(() => savepoint.run());
        transaction = { group: joined, ended: defer() };
      } catch (error) {
        turn.release();
        throw error;
      }
    },

    /** Ends the transaction. Resolves once it is on the disk. */
    async commit(): Promise<void> {
      let joined: Group;
      try {
        // SQLite may have rolled back the transaction. The error of its group then gives the reason.
        if (database.inTransaction) run(() => release.run());
      } finally {
        // Others wait for the turn, so this also runs after an error.
        joined = endTransaction();
      }
      await joined.stored.promise;
    },

    rollback(): void {
      try {
        if (!database.inTransaction) return;
        rollbackTo.run();
        release.run();
      } finally {
        endTransaction();
      }
    },

    /** Runs after all work that has begun. */
    async close(): Promise<void> {
      await turn.take();
      try {
        const last = group;
        if (last) commitWhole(last);
        // A read whose group fails is run again.
        await last?.committed.promise.catch(() => {});
        await log.close();
        reads.end();
        database.close();
      } finally {
        // Later calls are refused, so that they do not wait for ever.
        turn.release();
      }
    },
  };
}

export type CommitGroups = ReturnType<typeof createCommitGroups>;
