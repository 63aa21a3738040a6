import { hash } from 'node:crypto';
import type { ThreadRead } from '../tickets/threads.ts';
import { listedDigest } from './newest-tickets.ts';
import type { Elsewhere, Interest, Readers } from './readers.ts';
import type { Viewer } from './viewers.ts';

/*
 * What is known of one watched ticket, and what follows from it: how often it is to be read, by which instance, and what
 * the other instances are told. Nothing here reads, waits or sends. Times are in milliseconds.
 */

/** Facts about the last read of a ticket, to compare the next one with. */
interface Seen {
  /** Digest of the whole read. Empty before the first read. */
  digest: string;
  /** Digest of the fields that a list shows. */
  listed: string;
}

export interface Watch {
  ticketId: string;
  /** The viewers, with the digest of the last read that each was sent. */
  viewers: Map<Viewer, string>;
  /** What other instances need of the ticket. Null when they need nothing, or another instance reads it for them. */
  elsewhere: Elsewhere | null;
  timer: NodeJS.Timeout | undefined;
  /** When the ticket must be read next. Infinity when this instance does not read it. */
  dueAt: number;
  isReading: boolean;
  /** Something happened during the read. */
  isStale: boolean;
  /** The ticket must be read at once. False after a successful read. */
  isUrgent: boolean;
  seen: Seen;
  /** The last report to the other instances, and its time. */
  reported: { digest: string; at: number };
  changedAt: number;
  /** The number of failed reads in a row. */
  failures: number;
}

export const newWatch = (ticketId: string, now: number): Watch => ({
  ticketId,
  viewers: new Map(),
  elsewhere: null,
  timer: undefined,
  dueAt: Infinity,
  isReading: false,
  isStale: false,
  isUrgent: false,
  seen: { digest: '', listed: '' },
  reported: { digest: '', at: -Infinity },
  changedAt: now,
  failures: 0,
});

/** Whether a viewer of this instance has the thread on screen. */
function isOnScreenHere({ ticketId, viewers }: Watch): boolean {
  for (const { thread } of viewers.keys()) if (thread === ticketId) return true;
  return false;
}

/** Whether a viewer has been sent nothing since they joined. */
function hasNewViewer({ viewers }: Watch): boolean {
  for (const sent of viewers.values()) if (sent === '') return true;
  return false;
}

/** Records the facts of a read. */
export function recordRead(watch: Watch, { thread, isClosed, isStored }: ThreadRead, now: number): void {
  // `isStored`: what was sent before the store had it is sent with the new list once the store has it.
  const digest = hash('sha1', JSON.stringify([thread, isClosed, isStored]), 'base64url');
  if (digest !== watch.seen.digest) watch.changedAt = now;
  watch.seen = { digest, listed: listedDigest(thread) };
}

const longQuietMs = 10 * 60_000;
const longestPauseMs = 5 * 60_000;

/**
 * The interval between reads while there are turns enough. With too few, the ticket's share of the turns follows from it
 * (`turns.ts`). Long silence and failures make it longer.
 */
export function intervalOf(
  watch: Watch,
  { activeMs, idleMs, now }: { activeMs: number; idleMs: number; now: number },
): number {
  const quietTimes = Math.floor((now - watch.changedAt) / longQuietMs);
  const slowdown = Math.min(4, 1 + quietTimes) * 2 ** Math.min(watch.failures, 6);
  const isOnScreen = watch.elsewhere?.isOnScreen === true || isOnScreenHere(watch);
  const baseMs = isOnScreen ? activeMs : idleMs;
  return Math.max(baseMs, Math.min(baseMs * slowdown, longestPauseMs));
}

/**
 * Whether this instance must read the ticket at its intervals: as its reader, or while viewers of this instance wait for
 * a read.
 */
export function isReadHere(readers: Readers, watch: Watch): boolean {
  if (readers.termOf(watch.ticketId) !== undefined) return true;
  if (watch.viewers.size === 0) return false;
  const isWaiting = watch.failures > 0 || watch.isUrgent || hasNewViewer(watch);
  return isWaiting || !readers.hasReader(watch.ticketId);
}

/** Whether new viewers may be shown what this instance has read last, since another instance reads the ticket. */
export const mayShowCached = (readers: Readers, { ticketId, failures, isUrgent }: Watch): boolean =>
  failures === 0 && !isUrgent && readers.termOf(ticketId) === undefined && readers.hasReader(ticketId);

/** What the viewers of this instance need of the ticket. Null without viewers, or before the first read. */
export const interestOf = (watch: Watch): Interest | null =>
  watch.viewers.size > 0 && watch.seen.digest !== ''
    ? { isOnScreen: isOnScreenHere(watch), seen: watch.seen.digest }
    : null;

/** A report that other instances have not confirmed is repeated after this time. */
const reportAgainMs = 5_000;

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
