import type { Message, Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { ApiFailure } from '../api/result.ts';
import { isFinal, isNamed, isSame, type Named, newerVersion } from './names.ts';
import { joinMessage, joinPage, newer } from '../thread/pages.ts';
import { action, signal } from '@preact/signals';
import { asTicket, type Send, type TicketSend } from '../outbox/sends.ts';

/** A ticket without a time is still being sent, so it counts as the newest. */
const timeOf = ({ created_at, updated_at }: TicketSummary) => updated_at ?? created_at ?? '9';
const byTime = (a: TicketSummary, b: TicketSummary) =>
  timeOf(a) < timeOf(b) ? -1 : Number(timeOf(a) > timeOf(b));

type Bound = 'has_earlier' | 'before' | 'after';
/** A ticket as read. An older BFF has no pages: it sends all messages, without the bounds. */
type Answer = Omit<Ticket, Bound> & Partial<Pick<Ticket, Bound>>;

/** The customer's tickets as the server lists them, and the conversations that were opened. */
export function createTickets() {
  const list = signal<readonly TicketSummary[]>([]);
  /** False until the server has listed them; single tickets can arrive before. */
  const isLoaded = signal(false);
  const listFailure = signal<ApiFailure | null>(null);
  const threads = signal<readonly Ticket[]>([]);
  /** Why the conversation that was requested last could not be read. */
  const threadFailure = signal<ApiFailure | null>(null);

  /** The ticket that an agent has just answered while another view was on screen. */
  const arrivedElsewhere = signal<TicketSummary | null>(null);
  /** The same while its conversation was on screen. */
  const arrivedHere = signal<TicketSummary | null>(null);

  /** The tickets that were known when the customer entered a code, by which more are found; null: no code. */
  const knownBefore = signal<ReadonlySet<string> | null>(null);

  /** Counter of changes, to find those that came after a request was made. */
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
   * Removes the tickets that the server does not list any more. `since`: `moment()` when the list was requested; tickets
   * that were put later stay.
   */
  const removeUnlisted = action((listed: readonly TicketSummary[], since: number = Infinity) => {
    const isIn = (tickets: readonly Named[]) => (ticket: Named) =>
      tickets.some((other) => isSame(other, ticket));
    const later = list.peek().filter(isPutSince(since));
    const isKept = isIn([...listed, ...later]);
    list.value = list.peek().filter(isKept);
    threads.value = threads.peek().filter((ticket) => isKept(ticket) || isPutSince(since)(ticket));
    isLoaded.value = true;
    listFailure.value = null;
  });

  const thread = (ref: string): Ticket | undefined => threads.value.find(isNamed(ref));

  function setThread(last: Ticket | undefined, next: Ticket) {
    for (const item of [next, ...next.messages]) if (!putAt.has(item)) note(item);
    threads.value = [...threads.peek().filter((other) => other !== last), next];
  }

  /**
   * Adds a page of a conversation. `since`: `moment()` when it was requested; messages that were put later stay. False
   * when the page does not join the known messages, because some between them are missing. The conversation then counts
   * as not read, since newer messages may follow.
   */
  function putThread(answer: Answer, since = Infinity): boolean {
    const page: Ticket = { has_earlier: false, before: null, after: null, ...answer };
    const last = threads.peek().find((other) => isSame(other, page));
    const isLater = isPutSince(since);
    // A page of an older read may lack newer messages.
    const isNewer = (page.read_at ?? '') > (last?.read_at ?? '');
    const isNewest = page.before === null && page.after === null;
    const joined = last ? joinPage(last, page, (message) => !isNewer || isLater(message)) : isNewest && page;
    const read_at = page.read_at ?? last?.read_at ?? null;
    if (joined) setThread(last, { ...newerVersion(last, page), ...joined, read_at });
    else if (last && page.after !== null) setThread(last, { ...last, read_at: null });
    return Boolean(joined);
  }

  /** Adds or updates one message of a known conversation. */
  function putMessage(ticket: Ticket, message: Message) {
    setThread(ticket, { ...ticket, ...joinMessage(ticket, message) });
  }

  /**
   * Id or key of the message up to which a conversation is certainly complete; null: its newest messages must be read
   * again. That is an agent's message: an own one may be known before earlier messages of others.
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
    removeUnlisted,
    put,
    /** The conversation of a ticket, by its id or its key. */
    thread,
    threadFailure,
    arrivedElsewhere,
    arrivedHere,
    knownBefore,
    putThread,
    putMessage,
    completeUpTo,
    /** To be read before a request, and given as `since` with its answer. */
    moment: () => moment,
    /** Removes all tickets; the list then counts as not loaded. */
    forget: action(() => {
      removeUnlisted([]);
      isLoaded.value = false;
      threadFailure.value = null;
      arrivedElsewhere.value = null;
      arrivedHere.value = null;
      knownBefore.value = null;
    }),
  };
}

export type TicketsModel = ReturnType<typeof createTickets>;

/** The tickets on screen: first those in the outbox, then the server's list without refused ones that were `replaced`. */
export function showTickets(
  listed: readonly TicketSummary[],
  sends: readonly Send[],
  replaced: ReadonlySet<string | null>,
): TicketSummary[] {
  const shown = listed.filter(({ state, key }) => state !== 'rejected' || !replaced.has(key));
  const isOwn = (send: Send): send is TicketSend => send.kind === 'ticket' && !shown.some(isNamed(send.key));
  return [...sends.filter(isOwn).map(asTicket).reverse(), ...shown];
}
