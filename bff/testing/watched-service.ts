import { onlyReader, type Readers } from '../core/live/readers.ts';
import { Viewer } from '../core/live/viewers.ts';
import { createWatches } from '../core/live/watches.ts';
import type { ThreadRead } from '../core/tickets/threads.ts';
import { v1Thread, v1TicketList } from '../core/v1/schema.ts';

export const readsPerSecond = 20;
const listLimit = 50;

interface Behaviour {
  /** The order of the list. */
  order: 'update' | 'creation';
  /** Whether `updated_at` changes with each event. */
  isDated: boolean;
  /** How long an answer takes, in milliseconds. */
  tookMs: number;
}

interface Ticket {
  id: string;
  updated_at: string;
  messages: { id: string; author_type: string; body: string }[];
}

/**
 * Watches over a service in memory, both with faked timers. `reads` has the start of every read that reached the
 * service, in milliseconds since the start; reads of the list have no id. `told` has the reports to viewers: how many
 * messages a ticket has.
 */
export function watchService(given: Partial<Behaviour> = {}, readers: Readers = onlyReader) {
  const behaviour: Behaviour = { order: 'update', isDated: true, tookMs: 0, ...given };
  const start = Date.now();
  const elapsed = () => Date.now() - start + 0.25;
  /** In the order of their creation, and of their last events. */
  const created = new Map<string, Ticket>();
  const updated = new Map<string, Ticket>();
  const reads: { id: string | undefined; at: number }[] = [];
  const told: { viewer: Viewer; ticketId: string; messages: number; at: number }[] = [];
  let heldUntil = -Infinity;
  /** Refuses a read with 429 when it returns the milliseconds of a `Retry-After`. */
  let refusal = (): number | undefined => undefined;

  async function answer<Value>(id: string | undefined, make: () => Value): Promise<Value | undefined> {
    reads.push({ id, at: elapsed() });
    const holdMs = refusal();
    const value = make();
    if (behaviour.tookMs > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.tookMs));
    if (holdMs === undefined) return value;
    heldUntil = Math.max(heldUntil, elapsed() + holdMs);
    return undefined;
  }

  function open(id: string): Ticket {
    const ticket = created.get(id) ?? { id, updated_at: new Date(0).toISOString(), messages: [] };
    created.set(id, ticket);
    if (!updated.has(id)) updated.set(id, ticket);
    return ticket;
  }

  function listNow() {
    const newest = [...(behaviour.order === 'update' ? updated : created).values()]
      .slice(-listLimit)
      .reverse();
    return v1TicketList.parse(newest.map(({ messages, ...fields }) => fields));
  }

  const watches = createWatches({
    threads: {
      known: () => undefined,
      refresh: async (id: string): Promise<ThreadRead | null> => {
        const thread = await answer(id, () => v1Thread.parse(structuredClone(open(id))));
        return thread
          ? { thread, readAt: 0, readElapsed: 0, isFresh: true, isClosed: false, isStored: true }
          : null;
      },
    } as unknown as Parameters<typeof createWatches>[0]['threads'],
    publisher: {
      ticket: async (viewers: Viewer[], ticketId: string, { thread }: ThreadRead) => {
        for (const viewer of viewers)
          told.push({ viewer, ticketId, messages: thread.messages.length, at: elapsed() });
        return new Set();
      },
    } as unknown as Parameters<typeof createWatches>[0]['publisher'],
    v1: {
      async listTickets() {
        const list = await answer(undefined, listNow);
        return list
          ? { ok: true, data: { ...list, limit: listLimit }, serverTime: null }
          : { ok: false, failure: { kind: 'rate_limited', retryAfterMs: 1_000 }, serverTime: null };
      },
      readsHeldMs: () => Math.max(0, heldUntil - elapsed()),
    },
    readers,
    activeMs: 2_000,
    idleMs: 15_000,
    readsPerSecond: () => readsPerSecond,
    elapsed,
    onError: (error) => {
      throw error;
    },
  });

  const viewerOf = (thread: string | null) =>
    new Viewer({ subjectId: 's', sessionId: 's', thread, after: null }, { write: () => {}, end: () => {} });
  return {
    watches,
    reads,
    told,
    elapsed,
    viewerOf,
    lists: () => reads.filter(({ id }) => id === undefined),
    readsOf: (ticketId: string) => reads.filter(({ id }) => id === ticketId).map(({ at }) => at),
    refuse: (next: typeof refusal) => (refusal = next),
    change(ticketId: string): void {
      const ticket = open(ticketId);
      ticket.messages.push({ id: `message ${ticket.messages.length}`, author_type: 'agent', body: 'Hello' });
      if (behaviour.isDated) ticket.updated_at = new Date().toISOString();
      updated.delete(ticketId);
      updated.set(ticketId, ticket);
    },
    /** A viewer joins with this thread on screen. */
    look(ticketId: string): Viewer {
      open(ticketId);
      const viewer = viewerOf(ticketId);
      watches.add(ticketId, viewer);
      return viewer;
    },
    /** When each message of a ticket was first reported, by the number of messages; the newest last. */
    toldAt: (ticketId: string, messages: number): number | undefined =>
      told.find((each) => each.ticketId === ticketId && each.messages >= messages)?.at,
  };
}
