import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, ChangeLog, Cursor } from './change-log.ts';

const everyMs = 250;
/** The least time between two notifications. The first of several changes wakes the other instances at once. */
const notifyEveryMs = 100;
/** How long a change is kept. An instance that has not read for longer may have missed changes. */
export const keptMs = 600_000;
const safetyMs = 60_000;

interface FeedDeps {
  changeLog: Pick<ChangeLog, 'append' | 'end' | 'read' | 'notify'>;
  /** Applies a change of another instance here. */
  apply: (change: Change) => Promise<void>;
  /** Called when changes may have been missed: everything that is shown here must be read again. */
  onMissed: () => void;
  /** Milliseconds of a monotonic clock. */
  elapsed: () => number;
  onError: (error: unknown) => void;
}

/**
 * Publishes changes to the other instances and applies theirs. It reads the change log four times a second, and at
 * once when woken. A customer's rights must not depend on it: they are looked up each time.
 */
export function createFeed({ changeLog, apply, onMissed, elapsed, onError }: FeedDeps) {
  let cursor: Cursor | undefined;
  let readAt = 0;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();
  let nap = new AbortController();
  let notifiedAt = -Infinity;
  let notifying: NodeJS.Timeout | undefined;

  async function readAll(): Promise<void> {
    cursor ??= await changeLog.end();
    if (elapsed() - readAt > keptMs - safetyMs) {
      cursor = await changeLog.end();
      onMissed();
    }
    for (let isMore = true; isMore && !stopping.signal.aborted;) {
      const found = await changeLog.read(cursor);
      readAt = elapsed();
      ({ isMore } = found);
      // A change that fails does not prevent the others from being applied.
      for (const change of found.changes) await apply(change).catch(onError);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await readAll().catch(onError);
      await sleep(everyMs, undefined, { signal: nap.signal, ref: false }).catch(() => {});
      if (nap.signal.aborted) nap = new AbortController();
    }
  }

  function notifySoon(): void {
    if (notifying) return;
    const inMs = Math.min(notifyEveryMs, Math.max(0, notifiedAt + notifyEveryMs - elapsed()));
    notifying = setTimeout(() => {
      notifying = undefined;
      notifiedAt = elapsed();
      void changeLog.notify().catch(onError);
    }, inMs);
    notifying.unref();
  }

  /** Publishes a change to the other instances. */
  async function append(change: Change): Promise<void> {
    await changeLog.append(change);
    notifySoon();
  }

  return {
    /** Resolves when all later changes will be received. */
    async start(): Promise<void> {
      cursor = await changeLog.end();
      readAt = elapsed();
      running = run();
    },

    append,

    /** Like `append`, but never rejects. Other instances find such a change later by themselves. */
    publish: (change: Change): Promise<void> => append(change).catch(onError),

    /** To be called when there may be changes to read. */
    wake: (): void => nap.abort(),

    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(notifying);
      nap.abort();
      await running;
    },
  };
}
