import type { ThreadRead, Threads } from '../tickets/threads.ts';
import { type Breaker, createBreaker } from '../v1/breaker.ts';
import type { V1Client } from '../v1/client.ts';
import { createNewestTickets } from './newest-tickets.ts';
import type { Publisher } from './publish.ts';
import type { Elsewhere, Readers } from './readers.ts';
import { createTurns, type Turns } from './turns.ts';
import type { Viewer } from './viewers.ts';
import {
  interestOf,
  intervalOf,
  isReadHere,
  mayShowCached,
  newWatch,
  recordRead,
  type Watch,
} from './watch.ts';
import { createWatchReader } from './watch-reader.ts';

/** A ticket that waits longer for its turn shows that there are too few turns. Then the list of newest tickets is read. */
const lateMs = 500;

export interface WatchDeps {
  threads: Threads;
  publisher: Publisher;
  v1: Pick<V1Client, 'listTickets' | 'readsHeldMs'>;
  readers: Readers;
  /** The interval of reads with the thread on screen, and the one for the badge. */
  activeMs: number;
  idleMs: number;
  /** The maximum number of reads that begin in a second, for all tickets together. */
  readsPerSecond: () => number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

/**
 * Decides when a ticket that somebody looks at is read, once for all its viewers. The life of a watch: pause, wait for a
 * turn, read, publish, pause again. It ends with its last viewer. With many watches each waits longer for its turn.
 *
 * Among several instances, one reads a ticket at its intervals (`readers`), even if it has no viewers itself. The
 * others wait until they are notified of something new, and then read it once.
 */
export function createWatches(deps: WatchDeps) {
  const { threads, v1, readers, activeMs, idleMs, readsPerSecond, elapsed, onError } = deps;
  const watches = new Map<string, Watch>();
  const watchedBy = new WeakMap<Viewer, Set<string>>();
  const breaker = createBreaker(elapsed);
  const turns = createTurns({ perSecond: readsPerSecond, elapsed, heldMs: v1.readsHeldMs, onError });
  const others = createOtherReads(turns, breaker, v1.readsHeldMs);
  const reader = createWatchReader({ ...deps, breaker, onForbidden: remove });
  const newest = createNewestTickets({
    v1,
    readers,
    readsPerSecond,
    turns,
    elapsed,
    seenOf: (ticketId) => watches.get(ticketId)?.seen.listed,
    onMoved: request,
  });

  function suspend(watch: Watch): void {
    clearTimeout(watch.timer);
    turns.cancel(watch.ticketId);
    watch.dueAt = Infinity;
  }

  /** The last read, if new viewers may be shown it. */
  function cachedFor(watch: Watch): ThreadRead | undefined {
    const known = mayShowCached(readers, watch) ? threads.known(watch.ticketId) : undefined;
    return known?.isFresh ? known : undefined;
  }

  function reportInterest(watch: Watch): void {
    const interest = interestOf(watch);
    if (interest) readers.want(watch.ticketId, interest);
  }

  function scheduleRead(watch: Watch, isFirst = false): void {
    clearTimeout(watch.timer);
    if (watches.get(watch.ticketId) !== watch) return;
    reportInterest(watch);
    if (!isReadHere(readers, watch)) return suspend(watch);
    const everyMs = intervalOf(watch, { activeMs, idleMs, now: elapsed() });
    // Plus or minus a tenth, so that tickets which were opened together are not read together.
    const inMs = isFirst ? 0 : Math.round(everyMs * (0.9 + Math.random() / 5));
    watch.dueAt = elapsed() + inMs;
    watch.timer = setTimeout(() => {
      const cached = cachedFor(watch);
      if (cached) void run(watch, () => reader.showCached(watch, cached)).catch(onError);
      else turns.ask(watch.ticketId, everyMs, () => readTicket(watch));
    }, inMs).unref();
  }

  function readSoon(watch: Watch): void {
    clearTimeout(watch.timer);
    if (watches.get(watch.ticketId) !== watch) return;
    watch.dueAt = elapsed();
    watch.isUrgent = true;
    turns.askNow(watch.ticketId, () => readTicket(watch));
  }

  function request(ticketId: string): void {
    const watch = watches.get(ticketId);
    if (!watch) return;
    if (watch.isReading) watch.isStale = true;
    else readSoon(watch);
  }

  async function readTicket(watch: Watch): Promise<void> {
    if (!isReadHere(readers, watch)) return suspend(watch);
    if (!breaker.allows()) return scheduleRead(watch);
    if (!breaker.isOpen && elapsed() - watch.dueAt > lateMs) newest.readIfDue();
    await run(watch, () => reader.read(watch));
  }

  /** Makes a read, and then decides when the next is due. */
  async function run(watch: Watch, read: () => Promise<void>): Promise<void> {
    watch.isReading = true;
    await read().finally(() => {
      watch.isReading = false;
      const isRefused = watch.isUrgent && v1.readsHeldMs() > 0;
      if (watch.isStale || isRefused) readSoon(watch);
      else scheduleRead(watch);
    });
  }

  function remove(ticketId: string, viewer: Viewer): void {
    const watch = watches.get(ticketId);
    if (!watch?.viewers.delete(viewer)) return;
    if (watch.viewers.size > 0) return reportInterest(watch);
    readers.drop(ticketId);
    endUnneeded(watch);
  }

  function findOrBegin(ticketId: string): Watch {
    const watch = watches.get(ticketId) ?? newWatch(ticketId, elapsed());
    watches.set(ticketId, watch);
    return watch;
  }

  function endUnneeded(watch: Watch): void {
    if (watch.viewers.size > 0 || watch.elsewhere) return;
    watches.delete(watch.ticketId);
    suspend(watch);
  }

  function ensureReadWithin(watch: Watch, ms: number): void {
    if (watch.dueAt > elapsed() + ms && !watch.isReading) scheduleRead(watch);
  }

  /** Requests a read for viewers of this instance. Without any, the instance that has some reads the ticket itself. */
  function hint(ticketId: string): void {
    if (watches.get(ticketId)?.viewers.size) request(ticketId);
  }

  return {
    add(ticketId: string, viewer: Viewer): void {
      const watch = findOrBegin(ticketId);
      if (!watch.viewers.has(viewer)) watch.viewers.set(viewer, '');
      watchedBy.set(viewer, (watchedBy.get(viewer) ?? new Set()).add(ticketId));
      const cached = watch.seen.digest === '' ? cachedFor(watch) : undefined;
      if (cached) recordRead(watch, cached, elapsed());
      // A viewer who connects again and again must not delay a read that others wait for.
      ensureReadWithin(watch, viewer.thread === ticketId ? activeMs : idleMs);
    },
    removeViewer(viewer: Viewer): void {
      for (const ticketId of watchedBy.get(viewer) ?? []) remove(ticketId, viewer);
    },
    /** The ticket may have changed: reads it at once. */
    hint,
    /** The ticket's reader reports a read with this digest; '' when the read failed. */
    found(ticketId: string, digest: string): void {
      if (watches.get(ticketId)?.seen.digest !== digest) hint(ticketId);
    },
    /** Sets what the viewers of other instances need of a ticket that is read here; null when nothing. */
    setElsewhere(ticketId: string, elsewhere: Elsewhere | null): void {
      if (!elsewhere && !watches.has(ticketId)) return;
      const watch = findOrBegin(ticketId);
      watch.elsewhere = elsewhere;
      if (!elsewhere) endUnneeded(watch);
      else if (watch.dueAt === Infinity && !watch.isReading) scheduleRead(watch, true);
      else ensureReadWithin(watch, elsewhere.isOnScreen ? activeMs : idleMs);
    },
    /** To be called when the tickets that this instance must read may have changed. */
    reassess(): void {
      for (const watch of watches.values()) {
        if (watch.isReading) continue;
        const isHere = isReadHere(readers, watch);
        if (isHere && watch.dueAt === Infinity) scheduleRead(watch, true);
        else if (!isHere && watch.dueAt !== Infinity) suspend(watch);
      }
    },
    inTurn: others.inTurn,
    stop(): void {
      for (const watch of watches.values()) suspend(watch);
      watches.clear();
      turns.stop();
      others.stop();
    },
    isBreakerOpen: (): boolean => breaker.isOpen,
    /** The number of watched tickets. */
    get size(): number {
      return watches.size;
    },
  };
}

/** Reads for other purposes than watches, in turn with theirs. */
function createOtherReads(turns: Turns, breaker: Breaker, heldMs: () => number) {
  /** For each read that was not made yet, the function that ends the wait for it. */
  const unmade = new Set<() => void>();
  return {
    /**
     * A read of the service that no open page needs. It waits in the queue of all, for a turn every `everyMs`.
     * @param name must differ from every ticket id
     * @param read resolves with whether it succeeded; must not reject
     * @returns whether it succeeded; false when it was not made, such as while it waits already
     */
    inTurn(name: string, everyMs: number, read: () => Promise<boolean>): Promise<boolean> {
      if (turns.isWaiting(name)) return Promise.resolve(false);
      return new Promise((resolve) => {
        const leave = () => resolve(false);
        unmade.add(leave);
        turns.ask(name, everyMs, async () => {
          unmade.delete(leave);
          if (!breaker.allows()) return leave();
          const isGood = await read();
          if (isGood || heldMs() === 0) breaker.report(isGood);
          resolve(isGood);
        });
      });
    },
    stop(): void {
      for (const leave of unmade) leave();
    },
  };
}
