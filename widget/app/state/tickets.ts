import type { Message, Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ApiFailure } from '../api/result.ts';
import { computed, signal } from './signal.ts';

interface Named {
  id: string | null;
  key: string | null;
}

/** A ticket's name in this app: the key it was created with, which stands before and after it has an id. */
export const refOf = ({ id, key }: Named): string => key ?? id ?? '';
export const isNamed = (ref: string) => (ticket: Named) => ticket.id === ref || ticket.key === ref;

export const isSame = (a: Named, b: Named) =>
  (a.id !== null && a.id === b.id) || (a.key !== null && a.key === b.key);

/** Puts an item in place of the same one, unless that is ahead: what has an id never waits for one again. */
const putInto = <Item extends Named>(items: readonly Item[], item: Item): Item[] =>
  items.some((other) => isSame(other, item) && other.id !== null && item.id === null)
    ? [...items]
    : [...items.filter((other) => !isSame(other, item)), item];

interface Dated {
  created_at: string | null;
  updated_at?: string | null;
}

/** Without a time: on its way, so newer than all. */
const timeOf = ({ created_at, updated_at }: Dated) => updated_at ?? created_at ?? '9';
const byTime = (a: Dated, b: Dated) => timeOf(a).localeCompare(timeOf(b));

/** The customer's tickets as the server lists them, and the conversations of those that were opened. */
export function createTickets() {
  const listed = signal<TicketSummary[] | null>(null);
  const listFailure = signal<ApiFailure | null>(null);
  const threads = signal<readonly Ticket[]>([]);
  /** Why the conversation that was asked for last is not here. */
  const threadFailure = signal<ApiFailure | null>(null);

  /** The ticket that an agent has just answered while another view was on screen. */
  const arrivedElsewhere = signal<TicketSummary | null>(null);

  const list = computed(() => listed.value ?? []);

  function replace(tickets: TicketSummary[]) {
    listed.value = tickets.toSorted((a, b) => byTime(b, a));
    listFailure.value = null;
  }

  function change(ref: string, patch: Partial<TicketSummary>) {
    replace(list.peek().map((ticket) => (isNamed(ref)(ticket) ? Object.assign({}, ticket, patch) : ticket)));
  }

  const thread = (ref: string): Ticket | undefined => threads.value.find(isNamed(ref));

  function putThread(ticket: Ticket) {
    // One that could not be read lacks what others wrote: what was read of it before stays.
    const known =
      ticket.read_at === null ? (threads.peek().find((other) => isSame(other, ticket))?.messages ?? []) : [];
    const messages = ticket.messages.reduce(putInto, known).toSorted(byTime);
    threads.value = putInto(threads.peek(), { ...ticket, messages });
  }

  return {
    list,
    isLoaded: computed(() => listed.value !== null),
    listFailure,
    find: (ref: string) => list.value.find(isNamed(ref)),
    replace,
    put(ticket: TicketSummary) {
      replace(putInto(list.peek(), ticket));
    },
    change,
    /** The conversation of a ticket, by its id or its key. */
    thread,
    threadFailure,
    arrivedElsewhere,
    putThread,
    /** Nothing is here, nor known not to be. */
    forget() {
      listed.value = null;
      threads.value = [];
      listFailure.value = null;
      threadFailure.value = null;
      arrivedElsewhere.value = null;
    },
    putMessage(ref: string, message: Message) {
      const ticket = thread(ref);
      if (ticket) putThread({ ...ticket, messages: putInto(ticket.messages, message) });
    },
  };
}

export type TicketsModel = ReturnType<typeof createTickets>;
