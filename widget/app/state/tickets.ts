import type { OperationState, Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ApiFailure } from '../api/result.ts';
import { signal } from './signal.ts';

interface Named {
  id: string | null;
  key: string | null;
}

/** A ticket's name in this app: the key it was created with, which stands before and after it has an id. */
export const refOf = ({ id, key }: Named): string => key ?? id ?? '';
export const isNamed = (ref: string) => (ticket: Named) => ticket.id === ref || ticket.key === ref;

export const isSame = (a: Named, b: Named) =>
  (a.id !== null && a.id === b.id) || (a.key !== null && a.key === b.key);

interface Sent extends Named {
  state: OperationState;
}

const isFinal = ({ state }: Pick<Sent, 'state'>) => state === 'done' || state === 'rejected';

/** Answers overtake each other: what is at its end never goes back to an earlier state. */
export const goesBack = (known: Pick<Sent, 'state'>, word: Pick<Sent, 'state'>) =>
  isFinal(known) && !isFinal(word);

/** Nor does what has an id wait for one again. */
const further = <Item extends Sent>(known: Item | undefined, item: Item): Item =>
  known && ((known.id !== null && item.id === null) || goesBack(known, item)) ? known : item;

const namesOf = ({ id, key }: Named) => [id, key].filter((name) => name !== null);

/** Puts each of `more` in place of the same item, unless that is ahead. By name, since there can be thousands. */
function putInto<Item extends Sent>(items: readonly Item[], more: readonly Item[]): Item[] {
  const byName = new Map(items.flatMap((item) => namesOf(item).map((name) => [name, item])));
  for (const item of more) {
    const known = byName.get(item.id ?? '') ?? byName.get(item.key ?? '');
    if (known) for (const name of namesOf(known)) byName.delete(name);
    // The same said again stays the same object, so that nothing is drawn anew for it.
    const kept = JSON.stringify(known) === JSON.stringify(item) ? known! : further(known, item);
    for (const name of namesOf(kept)) byName.set(name, kept);
  }
  return [...new Set(byName.values())];
}

interface Dated {
  created_at: string | null;
  updated_at?: string | null;
}

/** Without a time: on its way, so newer than all. */
const timeOf = ({ created_at, updated_at }: Dated) => updated_at ?? created_at ?? '9';
const byTime = (a: Dated, b: Dated) => (timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b)));

/** The customer's tickets as the server lists them, and the conversations of those that were opened. */
export function createTickets() {
  const list = signal<readonly TicketSummary[]>([]);
  /** False until the server has listed them: what one answer or event tells is not the list. */
  const isLoaded = signal(false);
  const listFailure = signal<ApiFailure | null>(null);
  const threads = signal<readonly Ticket[]>([]);
  /** Why the conversation that was asked for last is not here. */
  const threadFailure = signal<ApiFailure | null>(null);

  /** The ticket that an agent has just answered while another view was on screen. */
  const arrivedElsewhere = signal<TicketSummary | null>(null);
  /** The same while its conversation was on screen. */
  const arrivedHere = signal<TicketSummary | null>(null);

  function put(ticket: TicketSummary) {
    list.value = putInto(list.peek(), [ticket]).sort((a, b) => byTime(b, a));
  }

  /** What the server does not list is not the customer's any more. */
  function keep(listed: TicketSummary[]) {
    const isListed = (ticket: Named) => listed.some((other) => isSame(other, ticket));
    list.value = list.peek().filter(isListed);
    threads.value = threads.peek().filter(isListed);
    isLoaded.value = true;
    listFailure.value = null;
  }

  const thread = (ref: string): Ticket | undefined => threads.value.find(isNamed(ref));

  function putThread(ticket: Ticket) {
    const last = threads.peek().find((other) => isSame(other, ticket));
    const isNewer = (ticket.read_at ?? '') > (last?.read_at ?? '');
    // A read that is not newer lacks what came since, and one that failed what others wrote: that stays.
    const read = new Set(ticket.messages.flatMap(namesOf));
    const known = (last?.messages ?? []).filter(
      (message) => !isNewer || namesOf(message).some((name) => read.has(name)),
    );
    const messages = putInto(known, ticket.messages).sort(byTime);
    threads.value = [
      ...threads.peek().filter((other) => other !== last),
      { ...further(last, ticket), messages },
    ];
  }

  return {
    list,
    isLoaded,
    listFailure,
    find: (ref: string) => list.value.find(isNamed(ref)),
    keep,
    put,
    /** The conversation of a ticket, by its id or its key. */
    thread,
    threadFailure,
    arrivedElsewhere,
    arrivedHere,
    putThread,
    /** Nothing is here, nor known not to be. */
    forget() {
      keep([]);
      isLoaded.value = false;
      threadFailure.value = null;
      arrivedElsewhere.value = null;
      arrivedHere.value = null;
    },
  };
}

export type TicketsModel = ReturnType<typeof createTickets>;
