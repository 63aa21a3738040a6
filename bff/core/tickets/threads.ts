import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { UnreachableError } from '../store/errors.ts';
import type { V1Client } from '../v1/client.ts';
import type { V1Thread } from '../v1/schema.ts';
import { readBodies } from './present.ts';
import type { TicketRecords } from './ticket-records.ts';

/**
 * The known state of a ticket. `thread` is the last successful read. `isFresh` tells whether the newest read
 * succeeded.
 */
export interface ThreadRead {
  thread: V1Thread;
  /** Time of the last successful read, in Unix milliseconds. */
  readAt: number;
  /** The same time by the monotonic clock, to calculate its age. */
  readElapsed: number;
  isFresh: boolean;
  /** Whether the ticket is merged or gone at the service. */
  isClosed: boolean;
  /** Whether the store has its facts, which lists show. */
  isStored: boolean;
}

const maxCached = 2_000;
const maxCachedChars = 32 * 1024 * 1024;
/** How long a customer waits for a read when an older one can be shown, and when there is none. */
const patienceMs = 1_500;
const firstPatienceMs = 4_000;

/** A part of the BFF that looks at each read of a ticket. */
export interface ReadHook {
  /** Called with each successful read, before anybody sees it. */
  onRead?(ticketId: string, thread: V1Thread): Promise<void>;
}

/**
 * Reads single tickets, one read at a time for each ticket. The last result is cached in memory, and its facts are
 * stored. `onError` is called when a read could not be stored.
 */
export function createThreads({
  records,
  v1,
  now,
  elapsed,
  parts = [],
  onError,
}: {
  records: TicketRecords;
  v1: V1Client;
  now: () => number;
  elapsed: () => number;
  parts?: readonly ReadHook[];
  onError: (error: unknown) => void;
}) {
  const cache = new LRUCache<string, ThreadRead>({
    max: maxCached,
    maxSize: maxCachedChars,
    sizeCalculation: ({ thread }) => JSON.stringify(thread).length,
  });
  const running = new Map<string, Promise<ThreadRead | null>>();

  function remember(ticketId: string, read: ThreadRead): ThreadRead {
    cache.set(ticketId, read);
    return read;
  }

  /** Stores a read if the store accepts it. Reading does not need a writable store. */
  async function save(
    ticketId: string,
    thread: V1Thread,
  ): Promise<Pick<ThreadRead, 'isClosed' | 'isStored'>> {
    try {
      for (const part of parts) await part.onRead?.(ticketId, thread);
      return { isClosed: await records.save(ticketId, thread), isStored: true };
    } catch (error) {
      onError(error);
      // The service has answered, even if the store and its record are unavailable.
      const isUnreachable = error instanceof UnreachableError;
      const isClosed = isUnreachable ? cache.get(ticketId)?.isClosed : await records.isMerged(ticketId);
      return { isClosed: isClosed ?? false, isStored: false };
    }
  }

  async function fetchNow(ticketId: string): Promise<ThreadRead | null> {
    const result = await v1.getTicket(ticketId);
    if (result.ok) {
      await readBodies(result.data);
      const saved = await save(ticketId, result.data);
      return remember(ticketId, {
        thread: result.data,
        readAt: now(),
        readElapsed: elapsed(),
        isFresh: true,
        ...saved,
      });
    }
    const isGone = result.failure.kind === 'refused' && result.failure.status === 404;
    if (isGone) await close(ticketId, 'gone').catch(onError);
    const last = cache.get(ticketId);
    return last ? remember(ticketId, { ...last, isFresh: isGone, isClosed: isGone || last.isClosed }) : null;
  }

  async function close(ticketId: string, reason: 'merged' | 'gone'): Promise<void> {
    await records.close(ticketId, reason);
    const last = cache.get(ticketId);
    if (last) remember(ticketId, { ...last, isClosed: true });
  }

  /**
   * Reads the ticket from the service now. Requests during the read share it. Null when the ticket was never read.
   */
  function refresh(ticketId: string): Promise<ThreadRead | null> {
    let read = running.get(ticketId);
    if (!read) {
      read = fetchNow(ticketId).finally(() => running.delete(ticketId));
      running.set(ticketId, read);
    }
    return read;
  }

  /** The cached read, if it is younger than `maxAgeMs`. */
  function fresh(ticketId: string, maxAgeMs: number): ThreadRead | undefined {
    const last = cache.get(ticketId);
    return last?.isFresh && elapsed() - last.readElapsed < maxAgeMs ? last : undefined;
  }

  return {
    refresh,
    fresh,

    /**
     * Like `refresh`, for a customer who waits: returns the cached read when it is younger than `maxAgeMs`, or when
     * the service is slow.
     */
    async read(ticketId: string, maxAgeMs: number): Promise<ThreadRead | null> {
      const young = fresh(ticketId, maxAgeMs);
      if (young) return young;
      const last = cache.get(ticketId);
      const read = refresh(ticketId);
      const patience = new AbortController();
      const known = last
        ? sleep(patienceMs, { ...last, isFresh: false }, patience)
        : sleep(firstPatienceMs, null, patience);
      return Promise.race([read, known.catch(() => null)]).finally(() => patience.abort());
    },

    /** The read in progress. Undefined without one. */
    underWay: (ticketId: string): Promise<ThreadRead | null> | undefined => running.get(ticketId),

    /** The cached read, without a request to the service. */
    known: (ticketId: string): ThreadRead | undefined => cache.get(ticketId),

    /** Records that the service refuses replies to the ticket. */
    close,
  };
}

export type Threads = ReturnType<typeof createThreads>;
