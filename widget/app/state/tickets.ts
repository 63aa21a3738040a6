import type { Message, Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ApiFailure } from '../api/result.ts';
import { further, isFinal, joinMessage, joinPage, type Named, newer } from './pages.ts';
import { signal } from './signal.ts';

export { goesBack } from './pages.ts';

/** A ticket's name in this app: the key it was created with, which stands before and after it has an id. */
export const refOf = ({ id, key }: Named): string => key ?? id ?? '';
export const isNamed = (ref: string) => (ticket: Named) => ticket.id === ref || ticket.key === ref;

export const isSame = (a: Named, b: Named) =>
  (a.id !== null && a.id === b.id) || (a.key !== null && a.key === b.key);

/** Without a time: on its way, so newer than all. */
const timeOf = ({ created_at, updated_at }: TicketSummary) => updated_at ?? created_at ?? '9';
const byTime = (a: TicketSummary, b: TicketSummary) =>
  timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b));

type Bound = 'has_earlier' | 'before' | 'after';
/** A BFF that knows no pages answers the whole, and says nothing of them. */
export type Answer = Omit<Ticket, Bound> & Partial<Pick<Ticket, Bound>>;

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

  /** Counts what is put, to tell what came after something else was asked for. */
  let moment = 0;
  const putAt = new WeakMap<object, number>();
  const isPutSince = (since: number) => (item: object) => putAt.get(item)! > since;
  function note(item: object) {
    putAt.set(item, (moment += 1));
  }

  function put(ticket: TicketSummary) {
    const known = list.peek().find((other) => isSame(other, ticket));
    const kept = newer(known, ticket);
    note(kept);
    list.value = [...list.peek().filter((other) => other !== known), kept].sort((a, b) => byTime(b, a));
  }

  /**
   * What the server does not list is not the customer's any more. `since`: the moment that the list was asked for; what
   * was put later stays.
   */
  function keep(listed: readonly TicketSummary[], since = Infinity) {
    const isIn = (tickets: readonly Named[]) => (ticket: Named) =>
      tickets.some((other) => isSame(other, ticket));
    const later = list.peek().filter(isPutSince(since));
    const isKept = isIn([...listed, ...later]);
    list.value = list.peek().filter(isKept);
    threads.value = threads.peek().filter((ticket) => isKept(ticket) || isPutSince(since)(ticket));
    isLoaded.value = true;
    listFailure.value = null;
  }

  const thread = (ref: string): Ticket | undefined => threads.value.find(isNamed(ref));

  function setThread(last: Ticket | undefined, next: Ticket) {
    for (const item of [next, ...next.messages]) if (!putAt.has(item)) note(item);
    threads.value = [...threads.peek().filter((other) => other !== last), next];
  }

  /**
   * Adds a page of a conversation. `since`: the moment that it was asked for; messages that were put later stay. False
   * when the page does not join on to what is here: some between them are missing. Newer ones may follow then, so what is
   * here counts as not read.
   */
  function putThread(answer: Answer, since = Infinity): boolean {
    const page: Ticket = { has_earlier: false, before: null, after: null, ...answer };
    const last = threads.peek().find((other) => isSame(other, page));
    const isLater = isPutSince(since);
    // A read that is not newer lacks what came since.
    const isNewer = (page.read_at ?? '') > (last?.read_at ?? '');
    const isNewest = page.before === null && page.after === null;
    const joined = last ? joinPage(last, page, (message) => !isNewer || isLater(message)) : isNewest && page;
    const read_at = page.read_at ?? last?.read_at ?? null;
    if (joined) setThread(last, { ...further(last, page), ...joined, read_at });
    else if (last && page.after !== null) setThread(last, { ...last, read_at: null });
    return Boolean(joined);
  }

  /** Puts one message into a conversation that is here. */
  function putMessage(ticket: Ticket, message: Message) {
    setThread(ticket, { ...ticket, ...joinMessage(ticket, message) });
  }

  /**
   * The message, by id or key, up to which nothing can be missing of a conversation here; null: the newest are to be
   * told again. Own messages may be here before what others wrote earlier; an agent's came by a read of all before it.
   */
  function completeUpTo(ref: string): string | null {
    const { messages = [], has_earlier, read_at } = thread(ref) ?? {};
    if (!read_at || !messages.every(isFinal)) return null;
    const last =
      messages.findLast(({ author_type }) => author_type === 'agent') ?? (has_earlier ? null : messages[0]);
    return last ? (last.id ?? last.key) : null;
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
    putMessage,
    completeUpTo,
    /** For `since`, of what is asked for at this moment. */
    moment: () => moment,
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
