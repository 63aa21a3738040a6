import type { ThreadRead } from '../../tickets/threads.ts';
import { createBreaker } from '../../v1/breaker.ts';
import type { Subscriber } from '../streams/hub.ts';
import { createListReading } from '../newest-tickets/list-reading.ts';
import { createOtherReads } from '../queue/other-reads.ts';
import { planRead } from '../queue/pace.ts';
import type { Elsewhere } from '../readers.ts';
import { createReadership } from './readership.ts';
import { seenOf } from './seen.ts';
import { createTurns } from '../queue/turns.ts';
import { createWatchReader } from './watch-reader.ts';
import { interestOf, newWatch, type Watch, type WatchDeps } from './watch-state.ts';

/** The id of the list in the queue of turns. No ticket has this id. */
const listTurn = '';

/**
 * Reads each ticket that somebody looks at, once for all its viewers. The life of a watch: pause, wait for a turn, read,
 * publish, pause again. It ends with its last viewer. With many watches each waits longer for its turn.
 *
 * Among several instances, one reads a ticket at its intervals (`readers`), even if it has no viewers itself. The
 * others wait until they are notified of something new, and then read it once.
 *
 * A ticket is read at once when the list of the newest tickets shows a change of it (`list-reading.ts`).
 */
export function createWatches({
  threads,
  publisher,
  v1,
  readers,
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
    read: (id) => readOf(id).catch(onError),
  });
  const breaker = createBreaker(elapsed);
  const readership = createReadership(readers, threads);
  const { isReadHere, cachedFor, reportInterest } = readership;
  const otherReads = createOtherReads({
    ask: turns.ask,
    isAllowed: () => breaker.allows(),
    report(isGood) {
      if (isGood || v1.readsHeldMs() === 0) breaker.report(isGood);
    },
  });
  const readOf = (id: string) =>
    id === listTurn ? list.read() : otherReads.has(id) ? otherReads.readNow(id) : readTicket(id);
  const list = createListReading({
    v1,
    readers,
    readsPerSecond,
    elapsed,
    isAllowed: () => !breaker.isOpen,
    watches,
    ask: () => turns.askNow(listTurn, 'list'),
    cancel: () => turns.cancel(listTurn),
    onMoved: (ticketId) => request(ticketId, 'moved'),
  });
  const { comparison } = list;
  const reader = createWatchReader({
    threads,
    publisher,
    v1,
    elapsed,
    breaker,
    comparison,
    readership,
    onForbidden: remove,
  });

  function setDemand(watch: Watch, perSecond: number): void {
    list.addDemand(perSecond - watch.demand);
    watch.demand = perSecond;
  }

  function suspend(ticketId: string, watch: Watch): void {
    clearTimeout(watch.timer);
    turns.cancel(ticketId);
    watch.dueAt = Infinity;
    setDemand(watch, 0);
  }

  function scheduleRead(ticketId: string, watch: Watch, isFirst = false): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    reportInterest(ticketId, watch);
    if (!isReadHere(ticketId, watch)) return suspend(ticketId, watch);
    const isCovered = comparison.covers(ticketId);
    const interest = interestOf(ticketId, watch, elapsed());
    const { wantedMs, everyMs, ...plan } = planRead(interest, { activeMs, idleMs }, isCovered);
    // This is the interval without the list. With the list, reads become rarer, so the list would seem to be no longer
    // needed.
    setDemand(watch, 1_000 / wantedMs);
    const inMs = isFirst ? 0 : plan.inMs;
    watch.dueAt = elapsed() + inMs;
    watch.timer = setTimeout(() => {
      const cached = cachedFor(ticketId, watch);
      if (cached) void showCached(ticketId, watch, cached).catch(onError);
      else turns.ask(ticketId, everyMs);
    }, inMs).unref();
  }

  function readSoon(ticketId: string, watch: Watch, urgency: 'hint' | 'moved'): void {
    clearTimeout(watch.timer);
    if (watches.get(ticketId) !== watch) return;
    watch.dueAt = elapsed();
    watch.urgency = urgency;
    turns.askNow(ticketId, urgency);
  }

  function request(ticketId: string, urgency: 'hint' | 'moved'): void {
    const watch = watches.get(ticketId);
    if (!watch) return;
    if (watch.isReading) watch.isStale = true;
    else readSoon(ticketId, watch, urgency);
  }

  async function readTicket(ticketId: string): Promise<void> {
    const watch = watches.get(ticketId);
    if (!watch || watch.isReading) return;
    if (!isReadHere(ticketId, watch)) return suspend(ticketId, watch);
    if (!breaker.allows()) return scheduleRead(ticketId, watch);
    watch.isReading = true;
    try {
      await reader.read(ticketId, watch);
    } finally {
      finishRead(ticketId, watch);
    }
  }

  async function showCached(ticketId: string, watch: Watch, cached: ThreadRead): Promise<void> {
    watch.isReading = true;
    try {
      await reader.showCached(ticketId, watch, cached);
    } finally {
      finishRead(ticketId, watch);
    }
  }

  function finishRead(ticketId: string, watch: Watch): void {
    watch.isReading = false;
    if (watch.isStale) readSoon(ticketId, watch, 'hint');
    else if (watch.urgency && v1.readsHeldMs() > 0) readSoon(ticketId, watch, watch.urgency);
    else scheduleRead(ticketId, watch);
  }

  function remove(ticketId: string, viewer: Subscriber): void {
    const watch = watches.get(ticketId);
    if (!watch?.viewers.delete(viewer)) return;
    if (watch.viewers.size > 0) return reportInterest(ticketId, watch);
    readers.drop(ticketId);
    endUnneeded(ticketId, watch);
  }

  function begin(ticketId: string): Watch {
    const watch = newWatch(elapsed());
    comparison.add(ticketId);
    watches.set(ticketId, watch);
    return watch;
  }

  function endUnneeded(ticketId: string, watch: Watch): void {
    if (watch.viewers.size > 0 || watch.elsewhere) return;
    watches.delete(ticketId);
    comparison.remove(ticketId);
    suspend(ticketId, watch);
  }

  /** Makes sure that the ticket is read within this time. */
  function ensureReadWithin(ticketId: string, watch: Watch, ms: number): void {
    if (watch.dueAt > elapsed() + ms && !watch.isReading) scheduleRead(ticketId, watch);
  }

  const hasViewers = (ticketId: string) => watches.get(ticketId)?.viewers.size;

  return {
    add(ticketId: string, viewer: Subscriber): void {
      const watch = watches.get(ticketId) ?? begin(ticketId);
      if (!watch.viewers.has(viewer)) watch.viewers.set(viewer, '');
      watchedBy.set(viewer, (watchedBy.get(viewer) ?? new Set()).add(ticketId));
      const cached = watch.seen.digest === '' ? cachedFor(ticketId, watch) : undefined;
      if (cached) watch.seen = seenOf(cached);
      // A viewer who connects again and again must not delay a read that others wait for.
      ensureReadWithin(ticketId, watch, viewer.thread === ticketId ? activeMs : idleMs);
      if (viewer.thread === ticketId && turns.isWaiting(ticketId)) turns.ask(ticketId, activeMs);
    },
    removeViewer(viewer: Subscriber): void {
      for (const ticketId of watchedBy.get(viewer) ?? []) remove(ticketId, viewer);
    },
    /** The ticket may have changed: reads it at once. */
    hint(ticketId: string): void {
      if (hasViewers(ticketId)) request(ticketId, 'hint');
    },
    /** The list shows a change of the ticket: reads it at once. */
    moved(ticketId: string): void {
      if (hasViewers(ticketId)) request(ticketId, 'moved');
    },
    /** The ticket's reader reports a read with this digest; '' when the read failed. */
    found(ticketId: string, digest: string): void {
      if (hasViewers(ticketId) && watches.get(ticketId)!.seen.digest !== digest) request(ticketId, 'hint');
    },
    /** Sets what the viewers of other instances need of a ticket that is read here; null when nothing. */
    setElsewhere(ticketId: string, elsewhere: Elsewhere | null): void {
      const existing = watches.get(ticketId);
      if (!existing && !elsewhere) return;
      const watch = existing ?? begin(ticketId);
      watch.elsewhere = elsewhere;
      if (!elsewhere) endUnneeded(ticketId, watch);
      else if (watch.dueAt === Infinity && !watch.isReading) scheduleRead(ticketId, watch, true);
      else ensureReadWithin(ticketId, watch, elsewhere.isOnScreen ? activeMs : idleMs);
    },
    /** To be called when the tickets that this instance must read may have changed. */
    reassess(): void {
      for (const [ticketId, watch] of watches) {
        if (watch.isReading) continue;
        const isHere = isReadHere(ticketId, watch);
        if (isHere && watch.dueAt === Infinity) scheduleRead(ticketId, watch, true);
        else if (!isHere && watch.dueAt !== Infinity) suspend(ticketId, watch);
      }
      list.reassess();
    },
    stop(): void {
      for (const [ticketId, watch] of watches) suspend(ticketId, watch);
      watches.clear();
      list.stop();
      otherReads.stop();
    },
    inTurn: otherReads.inTurn,
    isBreakerOpen: (): boolean => breaker.isOpen,
    /** The number of watched tickets. */
    get size(): number {
      return watches.size;
    },
  };
}
