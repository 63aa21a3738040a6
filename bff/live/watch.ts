import type { ThreadRead, Threads } from '../tickets/threads.ts';
import { createBreaker } from '../v1/breaker.ts';
import type { V1Client } from '../v1/client.ts';
import type { Subscriber } from './hub.ts';
import { createListing, listEveryMs } from './listing.ts';
import { intervalMs, pauseMs, shareMs } from './pace.ts';
import type { Publisher } from './publish.ts';
import { changeBetween, type Seen, seenOf, unseen } from './seen.ts';
import { createSieve } from './sieve.ts';
import { slicesOf } from './slices.ts';
import { toEvent } from './stream-event.ts';
import { createTurns } from './turns.ts';

export interface WatchDeps {
  threads: Threads;
  publisher: Publisher;
  v1: Pick<V1Client, 'listTickets' | 'readsHeldMs'>;
  activeMs: number;
  idleMs: number;
  /** Most reads that begin in a second, of all tickets together. */
  readsPerSecond: () => number;
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
  /** Why it is to be read at once; undefined after a good read. */
  lane: 'hint' | 'moved' | undefined;
  seen: Seen;
  changedAt: number;
  failures: number;
  /** How many reads a second it wants. */
  demand: number;
}

/** Stands for the list in the queue of turns: no ticket has this id. */
const listTurn = '';
/** The list may fail to come this often in a row before it is not relied on. */
const listsMissed = 3;

/**
 * Reads each ticket that somebody looks at, once for all its viewers. The life of a watch: pause, wait for a turn, read,
 * publish, pause again. It ends with its last viewer. With many watches each waits longer for its turn.
 *
 * The list of the newest tickets is read as well while the watches together want more reads a second than
 * `readsPerSecond`, by their intervals (`intervalMs` in `pace.ts`), so that single reads cannot keep to them. What has
 * changed in it is read at once (`sieve.ts`). With fewer watches no list is read.
 */
export function createWatches({
  threads,
  publisher,
  v1,
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
    heldMs: v1.readsHeldMs,
    read: (id) => (id === listTurn ? listing.read() : look(id)).catch(onError),
  });
  const breaker = createBreaker(elapsed);
  const everyMs = () => listEveryMs(readsPerSecond());
  const sieve = createSieve({ elapsed, freshMs: () => everyMs() * listsMissed });
  let demand = 0;
  const listing = createListing({
    v1,
    everyMs,
    elapsed,
    isNeeded: () => demand > readsPerSecond(),
    isAllowed: () => !breaker.isOpen,
    ask: () => turns.askNow(listTurn, 'list'),
    cancel: () => turns.cancel(listTurn),
    onList(list, begunAt) {
      for (const ticketId of sieve.take(list, begunAt)) request(ticketId, 'moved');
    },
  });

  function setDemand(watch: Watch, perSecond: number): void {
    demand = watches.size === 0 ? 0 : demand + perSecond - watch.demand;
    watch.demand = perSecond;
    listing.check();
  }

  function isOnScreen(ticketId: string, watch: Watch): boolean {
    for (const { thread } of watch.viewers.keys()) if (thread === ticketId) return true;
    return false;
  }

  function pause(ticketId: string, watch: Watch): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    const interest = {
      isOnScreen: isOnScreen(ticketId, watch),
      isAwaited: watch.seen.isAwaited,
      quietMs: elapsed() - watch.changedAt,
      failures: watch.failures,
    };
    const wantedMs = intervalMs(interest, { activeMs, idleMs });
    // By the interval without the list: with it the list would end its own need.
    setDemand(watch, 1_000 / wantedMs);
    const isCovered = sieve.covers(ticketId);
    const inMs = pauseMs(wantedMs, isCovered, Math.random());
    watch.dueAt = elapsed() + inMs;
    watch.timer = setTimeout(() => turns.ask(ticketId, shareMs(wantedMs, interest, isCovered)), inMs);
    watch.timer.unref();
  }

  function lookSoon(ticketId: string, watch: Watch, lane: 'hint' | 'moved'): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    watch.dueAt = elapsed();
    watch.lane = lane;
    turns.askNow(ticketId, lane);
  }

  function request(ticketId: string, lane: 'hint' | 'moved'): void {
    const watch = watches.get(ticketId);
    if (!watch) return;
    if (watch.isReading) watch.isStale = true;
    else lookSoon(ticketId, watch, lane);
  }

  async function look(ticketId: string): Promise<void> {
    const watch = watches.get(ticketId);
    if (!watch || watch.isReading) return;
    if (!breaker.allows()) return pause(ticketId, watch);
    watch.isReading = true;
    // A read that a customer has begun may be older than what asks for this one.
    watch.isStale = watch.lane !== undefined && threads.isReading(ticketId);
    const movesAtBegin = sieve.beginRead(ticketId);
    try {
      const read = await threads.refresh(ticketId).catch(() => null);
      const isGood = read?.isFresh ?? false;
      if (isGood) watch.lane = undefined;
      // The service answers, and has said when to come again.
      if (isGood || v1.readsHeldMs() === 0) {
        breaker.report(isGood);
        watch.failures = isGood ? 0 : watch.failures + 1;
      }
      if (read) {
        const last = watch.seen;
        watch.seen = seenOf(read);
        if (watch.seen.digest !== last.digest) watch.changedAt = elapsed();
        const change = changeBetween(last, watch.seen);
        if (isGood) sieve.endRead(ticketId, movesAtBegin, read.thread, change);
        await publishChanges(ticketId, watch, read);
      }
      await sendFreshness(ticketId, watch, isGood);
    } finally {
      watch.isReading = false;
      if (watch.isStale) lookSoon(ticketId, watch, 'hint');
      else if (watch.lane && v1.readsHeldMs() > 0) lookSoon(ticketId, watch, watch.lane);
      else pause(ticketId, watch);
    }
  }

  async function publishChanges(ticketId: string, watch: Watch, read: ThreadRead): Promise<void> {
    const { digest } = watch.seen;
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
    sieve.remove(ticketId);
    setDemand(watch, 0);
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
        lane: undefined,
        seen: unseen,
        changedAt: elapsed(),
        failures: 0,
        demand: 0,
      };
      if (!standing) sieve.add(ticketId);
      watches.set(ticketId, watch);
      if (!watch.viewers.has(viewer)) watch.viewers.set(viewer, '');
      watchedBy.set(viewer, (watchedBy.get(viewer) ?? new Set()).add(ticketId));
      // A viewer who connects again and again must not delay the read that others wait for.
      const neededAt = elapsed() + (viewer.thread === ticketId ? activeMs : idleMs);
      if (watch.dueAt > neededAt && !watch.isReading) pause(ticketId, watch);
      if (viewer.thread === ticketId && turns.isWaiting(ticketId)) turns.ask(ticketId, activeMs);
    },
    removeViewer(viewer: Subscriber): void {
      for (const ticketId of watchedBy.get(viewer) ?? []) remove(ticketId, viewer);
    },
    /** Something may have happened to this ticket: look now. */
    hint(ticketId: string): void {
      request(ticketId, 'hint');
    },
    stop(): void {
      for (const [ticketId, watch] of watches) {
        clearTimeout(watch.timer);
        turns.cancel(ticketId);
      }
      watches.clear();
      listing.stop();
    },
    isBreakerOpen: (): boolean => breaker.isOpen,
    /** Tickets being watched. */
    get size(): number {
      return watches.size;
    },
  };
}
