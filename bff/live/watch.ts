import { createHash } from 'node:crypto';
import type { ThreadRead, Threads } from '../tickets/threads.ts';
import { createBreaker } from '../v1/breaker.ts';
import type { Subscriber } from './hub.ts';
import { createBudget, pauseMs } from './pace.ts';
import type { Publisher } from './publish.ts';
import { createTellEach } from './tell.ts';

export interface WatchDeps {
  threads: Threads;
  publisher: Publisher;
  activeMs: number;
  idleMs: number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

interface Watch {
  /** With the digest of what each was last told. */
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

const readsPerSecond = 20;
const waitForTurnMs = 250;

/** Reads each ticket that somebody looks at, once for all of them; nobody looking, no reads. */
export function createWatches({ threads, publisher, activeMs, idleMs, elapsed, onError }: WatchDeps) {
  const watches = new Map<string, Watch>();
  const budget = createBudget(readsPerSecond, elapsed);
  const breaker = createBreaker(elapsed);
  const tellEach = createTellEach(onError);

  function schedule(ticketId: string, watch: Watch, inMs?: number): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    const isOnScreen = [...watch.viewers.keys()].some(({ thread }) => thread === ticketId);
    const interest = { isOnScreen, quietMs: elapsed() - watch.changedAt, failures: watch.failures };
    const pause = inMs ?? pauseMs(interest, { activeMs, idleMs }, Math.random());
    watch.dueAt = elapsed() + pause;
    watch.timer = setTimeout(() => void look(ticketId, watch).catch(onError), pause);
    watch.timer.unref();
  }

  async function look(ticketId: string, watch: Watch): Promise<void> {
    if (watch.isReading) return;
    if (!breaker.allows()) return schedule(ticketId, watch);
    if (!budget.take()) return schedule(ticketId, watch, waitForTurnMs);
    watch.isReading = true;
    watch.isStale = false;
    try {
      const read = await threads.refresh(ticketId).catch(() => null);
      const isGood = read?.isFresh ?? false;
      breaker.report(isGood);
      watch.failures = isGood ? 0 : watch.failures + 1;
      if (read) await publishChanges(ticketId, watch, read);
      tellFreshness(ticketId, watch, isGood);
    } finally {
      watch.isReading = false;
      schedule(ticketId, watch, watch.isStale ? 0 : undefined);
    }
  }

  async function publishChanges(ticketId: string, watch: Watch, read: ThreadRead): Promise<void> {
    const digest = createHash('sha1')
      .update(JSON.stringify([read.thread, read.isClosed]))
      .digest('base64url');
    if (digest !== watch.digest) watch.changedAt = elapsed();
    watch.digest = digest;
    await tellEach([...watch.viewers.keys()], async (viewer) => {
      if (watch.viewers.get(viewer) === digest) return;
      if (!(await publisher.ticket(viewer, ticketId, read))) remove(ticketId, viewer);
      else if (watch.viewers.has(viewer)) watch.viewers.set(viewer, digest);
    });
  }

  /** A screen with a thread hears of that thread, a list of every ticket in it. */
  function tellFreshness(ticketId: string, watch: Watch, isGood: boolean): void {
    for (const viewer of watch.viewers.keys())
      if ((viewer.thread ?? ticketId) === ticketId) viewer.sendChanged('freshness', '', { fresh: isGood });
  }

  function remove(ticketId: string, viewer: Subscriber): void {
    const watch = watches.get(ticketId);
    if (!watch?.viewers.delete(viewer) || watch.viewers.size > 0) return;
    clearTimeout(watch.timer);
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
      // A viewer who comes and goes must not put off the read that others wait for.
      const neededAt = elapsed() + (viewer.thread === ticketId ? activeMs : idleMs);
      if (watch.dueAt > neededAt && !watch.isReading) schedule(ticketId, watch);
    },
    removeViewer(viewer: Subscriber): void {
      for (const ticketId of watches.keys()) remove(ticketId, viewer);
    },
    /** Something may have happened to this ticket: look now. */
    hint(ticketId: string): void {
      const watch = watches.get(ticketId);
      if (!watch) return;
      if (watch.isReading) watch.isStale = true;
      else schedule(ticketId, watch, 0);
    },
    stop(): void {
      for (const watch of watches.values()) clearTimeout(watch.timer);
      watches.clear();
    },
    /** Tickets being watched. */
    get size(): number {
      return watches.size;
    },
  };
}
