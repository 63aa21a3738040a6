import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, ChangeLog, Cursor } from './change-log.ts';

const everyMs = 250;
/** Others are woken by the first of several changes, and then not before this time. */
const notifyEveryMs = 100;
/** How long a change is kept: an instance that has not read for longer may have missed some. */
export const keptMs = 600_000;
const safetyMs = 60_000;

interface FeedDeps {
  changeLog: Pick<ChangeLog, 'append' | 'end' | 'read' | 'notify'>;
  /** Does here what follows from a change on another instance. */
  apply: (change: Change) => Promise<void>;
  /** Changes may have been missed: all that is shown here must be read anew. */
  onMissed: () => void;
  /** Milliseconds of a clock that nobody sets. */
  elapsed: () => number;
  onError: (error: unknown) => void;
}

/**
 * Tells the other instances of changes, and hears of theirs: it reads the change log four times a second, and at once when
 * woken. Neither must be relied on for a customer's right: that is looked up each time.
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
      // One that fails keeps none of the others from being applied.
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

  /** Tells the other instances. */
  async function append(change: Change): Promise<void> {
    await changeLog.append(change);
    notifySoon();
  }

  return {
    /** Resolves when changes from now on will be heard of. */
    async start(): Promise<void> {
      cursor = await changeLog.end();
      readAt = elapsed();
      running = run();
    },

    append,

    /** The same, and never rejects: others find out later by themselves. */
    tell: (change: Change): Promise<void> => append(change).catch(onError),

    /** There may be changes to read. */
    wake: (): void => nap.abort(),

    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(notifying);
      nap.abort();
      await running;
    },
  };
}

export type Feed = ReturnType<typeof createFeed>;
