import { createHash } from 'node:crypto';
import type { ThreadRead, Threads } from '../tickets/threads.ts';
import { createBreaker } from '../v1/breaker.ts';
import type { Subscriber } from './hub.ts';
import { pauseMs } from './pace.ts';
import type { Publisher } from './publish.ts';
import { slicesOf } from './slices.ts';
import { toEvent } from './stream-event.ts';
import { createTurns } from './turns.ts';

export interface WatchDeps {
  threads: Threads;
  publisher: Publisher;
  activeMs: number;
  idleMs: number;
  /** Most reads that begin in a second, of all tickets together. */
  readsPerSecond: number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

interface Watch {
  /** With the digest of what each was last sent. */
  viewers: Map<Subscriber, string>;
  timer: NodeJS.Timeout | undefined;
  dueAt: number;
  isReading: boolean;
  /** Something happened during the read. */
  isStale: boolean;
  digest: string;
  changedAt: number;
  failures: number;
}

/**
 * Reads each ticket that somebody looks at, once for all its viewers. The life of a watch: pause, wait for a turn, read,
 * publish, pause again. It ends with its last viewer. With many watches each waits longer for its turn.
 */
export function createWatches({
  threads,
  publisher,
  activeMs,
  idleMs,
  readsPerSecond,
  elapsed,
  onError,
}: WatchDeps) {
  const watches = new Map<string, Watch>();
  const watchedBy = new WeakMap<Subscriber, Set<string>>();
  const turns = createTurns({
    perSecond: readsPerSecond,
    elapsed,
    read: (ticketId) => look(ticketId).catch(onError),
  });
  const breaker = createBreaker(elapsed);

  function isOnScreen(ticketId: string, watch: Watch): boolean {
    for (const { thread } of watch.viewers.keys()) if (thread === ticketId) return true;
    return false;
  }

  function pause(ticketId: string, watch: Watch): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    const interest = {
      isOnScreen: isOnScreen(ticketId, watch),
      quietMs: elapsed() - watch.changedAt,
      failures: watch.failures,
    };
    const inMs = pauseMs(interest, { activeMs, idleMs }, Math.random());
    watch.dueAt = elapsed() + inMs;
    watch.timer = setTimeout(() => {
      turns.ask(ticketId, isOnScreen(ticketId, watch) ? 'screen' : 'badge');
    }, inMs);
    watch.timer.unref();
  }

  function lookSoon(ticketId: string, watch: Watch): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    watch.dueAt = elapsed();
    turns.ask(ticketId, 'hint');
  }

  async function look(ticketId: string): Promise<void> {
    const watch = watches.get(ticketId);
    if (!watch || watch.isReading) return;
    if (!breaker.allows()) return pause(ticketId, watch);
    watch.isReading = true;
    watch.isStale = false;
    try {
      const read = await threads.refresh(ticketId).catch(() => null);
      const isGood = read?.isFresh ?? false;
      breaker.report(isGood);
      watch.failures = isGood ? 0 : watch.failures + 1;
      if (read) await publishChanges(ticketId, watch, read);
      await sendFreshness(ticketId, watch, isGood);
    } finally {
      watch.isReading = false;
      if (watch.isStale) lookSoon(ticketId, watch);
      else pause(ticketId, watch);
    }
  }

  async function publishChanges(ticketId: string, watch: Watch, read: ThreadRead): Promise<void> {
    const digest = createHash('sha1')
      .update(JSON.stringify([read.thread, read.isClosed]))
      .digest('base64url');
    if (digest !== watch.digest) watch.changedAt = elapsed();
    watch.digest = digest;
    const due = [...watch.viewers].flatMap(([viewer, told]) => (told === digest ? [] : viewer));
    const gone = await publisher.ticket(due, ticketId, read);
    for (const viewer of due) {
      if (gone.has(viewer)) remove(ticketId, viewer);
      else if (watch.viewers.has(viewer)) watch.viewers.set(viewer, digest);
    }
  }

  /** A viewer of a thread is told about that thread only, a viewer of the list about every ticket in it. */
  async function sendFreshness(ticketId: string, watch: Watch, isGood: boolean): Promise<void> {
    const events = [toEvent('freshness', '', { fresh: isGood })];
    for await (const slice of slicesOf([...watch.viewers.keys()]))
      for (const viewer of slice) if ((viewer.thread ?? ticketId) === ticketId) viewer.sendNew(events);
  }

  function remove(ticketId: string, viewer: Subscriber): void {
    const watch = watches.get(ticketId);
    if (!watch?.viewers.delete(viewer) || watch.viewers.size > 0) return;
    clearTimeout(watch.timer);
    turns.cancel(ticketId);
    watches.delete(ticketId);
  }

  return {
    add(ticketId: string, viewer: Subscriber): void {
      const standing = watches.get(ticketId);
      const watch: Watch = standing ?? {
        viewers: new Map(),
        timer: undefined,
        dueAt: Infinity,
        isReading: false,
        isStale: false,
        digest: '',
        changedAt: elapsed(),
        failures: 0,
      };
      watches.set(ticketId, watch);
      if (!watch.viewers.has(viewer)) watch.viewers.set(viewer, '');
      watchedBy.set(viewer, (watchedBy.get(viewer) ?? new Set()).add(ticketId));
      // A viewer who connects again and again must not delay the read that others wait for.
      const neededAt = elapsed() + (viewer.thread === ticketId ? activeMs : idleMs);
      if (watch.dueAt > neededAt && !watch.isReading) pause(ticketId, watch);
      if (viewer.thread === ticketId && turns.isWaiting(ticketId)) turns.ask(ticketId, 'screen');
    },
    removeViewer(viewer: Subscriber): void {
      for (const ticketId of watchedBy.get(viewer) ?? []) remove(ticketId, viewer);
    },
    /** Something may have happened to this ticket: look now. */
    hint(ticketId: string): void {
      const watch = watches.get(ticketId);
      if (!watch) return;
      if (watch.isReading) watch.isStale = true;
      else lookSoon(ticketId, watch);
    },
    stop(): void {
      for (const [ticketId, watch] of watches) {
        clearTimeout(watch.timer);
        turns.cancel(ticketId);
      }
      watches.clear();
    },
    isBreakerOpen: (): boolean => breaker.isOpen,
    /** Tickets being watched. */
    get size(): number {
      return watches.size;
    },
  };
}
