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

interface Dated {
  created_at: string | null;
  updated_at?: string | null;
}

/** Without a time: on its way, so newer than all. */
const timeOf = ({ created_at, updated_at }: Dated) => updated_at ?? created_at ?? '9';
const byTime = (a: Dated, b: Dated) => timeOf(a).localeCompare(timeOf(b));

const isSame = (a: Named, b: Named) =>
  (a.id !== null && a.id === b.id) || (a.key !== null && a.key === b.key);

/** Puts a message into a conversation: in place of the same one by id or key, else by its time. */
export const mergeMessage = (messages: readonly Message[], message: Message): Message[] =>
  [...messages.filter((other) => !isSame(other, message)), message].sort(byTime);

/** The customer's tickets as the server lists them, and the conversations of those that were opened. */
export function createTickets() {
  const listed = signal<TicketSummary[] | null>(null);
  const listFailure = signal<ApiFailure | null>(null);
  const threads = signal<Readonly<Record<string, Ticket>>>({});
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

  function putThread(ticket: Ticket) {
    const id = ticket.id!;
    threads.value = { ...threads.peek(), [id]: { ...ticket, messages: ticket.messages.toSorted(byTime) } };
  }

  return {
    list,
    isLoaded: computed(() => listed.value !== null),
    listFailure,
    find: (ref: string) => list.value.find(isNamed(ref)),
    replace,
    put(ticket: TicketSummary) {
      replace([ticket, ...list.peek().filter((other) => !isSame(other, ticket))]);
    },
    change,
    thread: (id: string | null): Ticket | undefined => (id === null ? undefined : threads.value[id]),
    threadFailure,
    arrivedElsewhere,
    putThread,
    /** Nothing is here, nor known not to be. */
    forget() {
      listed.value = null;
      threads.value = {};
      listFailure.value = null;
      threadFailure.value = null;
      arrivedElsewhere.value = null;
    },
    putMessage(ticketId: string, message: Message) {
      const ticket = threads.peek()[ticketId];
      if (ticket) putThread({ ...ticket, messages: mergeMessage(ticket.messages, message) });
    },
  };
}

export type TicketsModel = ReturnType<typeof createTickets>;
