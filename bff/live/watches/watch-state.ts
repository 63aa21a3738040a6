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
  /** Most reads that begin in a second, of all tickets together. */
  readsPerSecond: () => number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

export interface Watch {
  /** With the digest of what each was last sent. */
  viewers: Map<Subscriber, string>;
  /** What others need of it; null where nobody does, or another instance reads it for them. */
  elsewhere: Elsewhere | null;
  timer: NodeJS.Timeout | undefined;
  /** When it is to be read next; Infinity when it is not read here. */
  dueAt: number;
  isReading: boolean;
  /** Something happened during the read. */
  isStale: boolean;
  /** Why it is to be read at once; undefined after a good read. */
  urgency: 'hint' | 'moved' | undefined;
  seen: Seen;
  /** What the other instances were last told to have been found, and when. */
  told: { digest: string; at: number };
  changedAt: number;
  failures: number;
  /** How many reads a second it wants. */
  demand: number;
}

/** Others that do not say that they have seen what was found are told again after this time. */
const tellAgainMs = 5_000;

export const newWatch = (now: number): Watch => ({
  viewers: new Map(),
  elsewhere: null,
  timer: undefined,
  dueAt: Infinity,
  isReading: false,
  isStale: false,
  urgency: undefined,
  seen: unseen,
  told: { digest: '', at: -Infinity },
  changedAt: now,
  failures: 0,
  demand: 0,
});

/** Whether a viewer of this instance has the thread on screen. */
export function isOnScreenHere(ticketId: string, { viewers }: Watch): boolean {
  for (const { thread } of viewers.keys()) if (thread === ticketId) return true;
  return false;
}

export const interestOf = (ticketId: string, watch: Watch, now: number): Interest => ({
  isOnScreen: watch.elsewhere?.isOnScreen === true || isOnScreenHere(ticketId, watch),
  isAwaited: watch.seen.isAwaited,
  quietMs: now - watch.changedAt,
  failures: watch.failures,
});

/** Whether a viewer has been sent nothing since they came. */
export function hasNewViewer({ viewers }: Watch): boolean {
  for (const sent of viewers.values()) if (sent === '') return true;
  return false;
}

/** Remembers what was read; returns how it differs from the read before. */
export function takeRead(watch: Watch, read: ThreadRead, now: number): Change {
  const last = watch.seen;
  watch.seen = seenOf(read);
  if (watch.seen.digest !== last.digest) watch.changedAt = now;
  return changeBetween(last, watch.seen);
}

/**
 * What the other instances are to be told after a read for them: the digest of what their viewers have not seen, '' when
 * the read has just begun to fail. Undefined: nothing.
 */
export function newsForOthers(watch: Watch, isGood: boolean, now: number): string | undefined {
  if (!watch.elsewhere) return undefined;
  if (!isGood) return watch.failures === 1 ? '' : undefined;
  const { digest } = watch.seen;
  if ([...watch.elsewhere.seen].every((seen) => seen === digest)) return undefined;
  if (watch.told.digest === digest && now - watch.told.at < tellAgainMs) return undefined;
  watch.told = { digest, at: now };
  return digest;
}
