import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Store } from '../store/open.ts';
import type { Seal } from '../store/seal.ts';
import type { V1Client } from '../v1/client.ts';
import type { V1Thread } from '../v1/schema.ts';
import { countAgentMessages, factsOf } from './present.ts';

/** What is known of a ticket. `thread` is the last good read; `isFresh` says whether the newest read was good. */
export interface ThreadRead {
  thread: V1Thread;
  /** Unix milliseconds of the last good read. */
  readAt: number;
  /** The same by the clock that nobody can set: what its age is told from. */
  readElapsed: number;
  isFresh: boolean;
  /** Merged or gone at the service. */
  isClosed: boolean;
}

const closedAs = { merged: 1, gone: 2 } as const;
const maxKept = 2_000;
const maxKeptChars = 32 * 1024 * 1024;
/** How long a customer waits for a read when there is an older one to show, and when there is none. */
const patienceMs = 1_500;
const firstPatienceMs = 4_000;

/**
 * Reads of single tickets: one at a time for each ticket, the last result kept in memory, its facts in the store.
 * `onError` hears of facts that could not be written.
 */
export function createThreads({
  store,
  v1,
  seal,
  now,
  elapsed,
  onError,
}: {
  store: Store;
  v1: V1Client;
  seal: Seal;
  now: () => number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}) {
  const kept = new LRUCache<string, ThreadRead>({
    max: maxKept,
    maxSize: maxKeptChars,
    sizeCalculation: ({ thread }) => JSON.stringify(thread).length,
  });
  const running = new Map<string, Promise<ThreadRead | null>>();

  function keep(ticketId: string, read: ThreadRead): ThreadRead {
    kept.set(ticketId, read);
    return read;
  }

  /** Whether the ticket is closed; best effort with the rest: whoever reads needs no store that can be written. */
  async function noteFacts(ticketId: string, thread: V1Thread): Promise<boolean> {
    try {
      return await saveFacts(ticketId, thread);
    } catch (error) {
      onError(error);
      const row = await store
        .selectFrom('tickets')
        .select('closed')
        .where('id', '=', ticketId)
        .executeTakeFirst();
      return row?.closed === closedAs.merged;
    }
  }

  async function saveFacts(ticketId: string, thread: V1Thread): Promise<boolean> {
    const row = await store
      .updateTable('tickets')
      .set(({ eb }) => ({
        facts_sealed: seal.seal('tickets.facts', factsOf(thread)),
        agent_count: countAgentMessages(thread),
        read_at: now(),
        // A merged ticket can still be read; one that can be read is there.
        closed: eb.case().when('closed', '=', closedAs.gone).then(0).else(eb.ref('closed')).end(),
      }))
      .where('id', '=', ticketId)
      .returning('closed')
      .executeTakeFirst();
    return row !== undefined && row.closed !== 0;
  }

  async function fetchNow(ticketId: string): Promise<ThreadRead | null> {
    const result = await v1.getTicket(ticketId);
    if (result.ok) {
      const isClosed = await noteFacts(ticketId, result.data);
      return keep(ticketId, {
        thread: result.data,
        readAt: now(),
        readElapsed: elapsed(),
        isFresh: true,
        isClosed,
      });
    }
    const isGone = result.failure.kind === 'refused' && result.failure.status === 404;
    if (isGone) await close(ticketId, 'gone').catch(onError);
    const last = kept.get(ticketId);
    return last ? keep(ticketId, { ...last, isFresh: isGone, isClosed: isGone || last.isClosed }) : null;
  }

  async function close(ticketId: string, why: keyof typeof closedAs): Promise<void> {
    await store.updateTable('tickets').set({ closed: closedAs[why] }).where('id', '=', ticketId).execute();
    const last = kept.get(ticketId);
    if (last) keep(ticketId, { ...last, isClosed: true });
  }

  /** Reads the ticket from the service now; whoever asks meanwhile gets the same read. Null: it was never read. */
  function refresh(ticketId: string): Promise<ThreadRead | null> {
    let read = running.get(ticketId);
    if (!read) {
      read = fetchNow(ticketId).finally(() => running.delete(ticketId));
      running.set(ticketId, read);
    }
    return read;
  }

  return {
    refresh,

    /**
     * As `refresh`, for someone who waits: the last good read when it is younger than `maxAgeMs`, or when the
     * service takes its time.
     */
    async read(ticketId: string, maxAgeMs: number): Promise<ThreadRead | null> {
      const last = kept.get(ticketId);
      if (last?.isFresh && elapsed() - last.readElapsed < maxAgeMs) return last;
      const read = refresh(ticketId);
      const patience = new AbortController();
      const known = last
        ? sleep(patienceMs, { ...last, isFresh: false }, patience)
        : sleep(firstPatienceMs, null, patience);
      return Promise.race([read, known.catch(() => null)]).finally(() => patience.abort());
    },

    /** What was last read, without asking the service. */
    known: (ticketId: string): ThreadRead | undefined => kept.get(ticketId),

    /** Remembers that the service refuses replies to it. */
    close,
  };
}

export type Threads = ReturnType<typeof createThreads>;
