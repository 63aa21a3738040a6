import type { ThreadRead, Threads } from '../../tickets/threads.ts';
import type { V1Client } from '../../v1/client.ts';
import type { Subscriber } from '../streams/hub.ts';
import type { Interest } from '../queue/pace.ts';
import type { Publisher } from '../publishing/publish.ts';
import type { Elsewhere, Readers } from '../readers.ts';
import type { Change } from '../newest-tickets/comparison.ts';
import { changeBetween, type Seen, seenOf, unseen } from './seen.ts';

export interface WatchDeps {
  threads: Threads;
  publisher: Publisher;
  v1: Pick<V1Client, 'listTickets' | 'readsHeldMs'>;
  readers: Readers;
  activeMs: number;
  idleMs: number;
  /** The maximum number of reads that begin in a second, for all tickets together. */
  readsPerSecond: () => number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

export interface Watch {
  /** The viewers, with the digest of the last read that each was sent. */
  viewers: Map<Subscriber, string>;
  /** What other instances need of the ticket. Null when they need nothing, or another instance reads it for them. */
  elsewhere: Elsewhere | null;
  timer: NodeJS.Timeout | undefined;
  /** When the ticket must be read next. Infinity when this instance does not read it. */
  dueAt: number;
  isReading: boolean;
  /** Something happened during the read. */
  isStale: boolean;
  /** Why the ticket must be read at once. Undefined after a successful read. */
  urgency: 'hint' | 'moved' | undefined;
  seen: Seen;
  /** The last report to the other instances, and its time. */
  reported: { digest: string; at: number };
  changedAt: number;
  failures: number;
  /** The number of reads a second that this watch wants. */
  demand: number;
}

/** A report that other instances have not confirmed is repeated after this time. */
const reportAgainMs = 5_000;

export const newWatch = (now: number): Watch => ({
  viewers: new Map(),
  elsewhere: null,
  timer: undefined,
  dueAt: Infinity,
  isReading: false,
  isStale: false,
  urgency: undefined,
  seen: unseen,
  reported: { digest: '', at: -Infinity },
  changedAt: now,
  failures: 0,
  demand: 0,
});

/** Whether a viewer of this instance has the thread on screen. */
export function isOnScreenHere(ticketId: string, { viewers }: Watch): boolean {
  for (const { thread } of viewers.keys()) if (thread === ticketId) return true;
  return false;
}

/** The facts by which the interval of reads is chosen (`pace.ts`). */
export const interestOf = (ticketId: string, watch: Watch, now: number): Interest => ({
  isOnScreen: watch.elsewhere?.isOnScreen === true || isOnScreenHere(ticketId, watch),
  isAwaited: watch.seen.isAwaited,
  quietMs: now - watch.changedAt,
  failures: watch.failures,
});

/** Whether a viewer has been sent nothing since they joined. */
export function hasNewViewer({ viewers }: Watch): boolean {
  for (const sent of viewers.values()) if (sent === '') return true;
  return false;
}

/** Stores a read. Returns how it differs from the previous one. */
export function takeRead(watch: Watch, read: ThreadRead, now: number): Change {
  const last = watch.seen;
  watch.seen = seenOf(read);
  if (watch.seen.digest !== last.digest) watch.changedAt = now;
  return changeBetween(last, watch.seen);
}

/**
 * The report to the other instances after a read for them: the digest when their viewers have not seen it, '' when
 * reads have just begun to fail. Undefined: no report.
 */
export function digestToReport(watch: Watch, isGood: boolean, now: number): string | undefined {
  if (!watch.elsewhere) return undefined;
  if (!isGood) return watch.failures === 1 ? '' : undefined;
  const { digest } = watch.seen;
  if ([...watch.elsewhere.seen].every((seen) => seen === digest)) return undefined;
  if (watch.reported.digest === digest && now - watch.reported.at < reportAgainMs) return undefined;
  watch.reported = { digest, at: now };
  return digest;
}
