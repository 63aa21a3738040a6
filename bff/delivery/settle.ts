import type { NewMessage } from '../contract/tickets.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import { cutFooter, refOf } from '../tickets/footer.ts';
import { factsOf } from '../tickets/present.ts';
import { canonical } from '../tickets/text.ts';
import type { V1Client, V1NewTicket } from '../v1/client.ts';
import type { V1Ticket } from '../v1/schema.ts';
import type { Ledger } from './ledger.ts';

/** What reading the service tells of a send in doubt. */
export type Verdict =
  | { type: 'found'; upstream: { id: string; facts: TicketFacts | null } }
  /** A whole and readable answer does not hold it. `proves`: it reaches back to before the attempt. */
  | { type: 'absent'; proves: boolean }
  | { type: 'unreadable' };

interface Deps {
  v1: V1Client;
  ledger: Pick<Ledger, 'claimedIds'>;
  now: () => number;
}

const listLength = 50;
/** The `Date` header has whole seconds, and `created_at` may be set a moment before the attempt is logged. */
const toleranceMs = 5_000;

/** Whether the service made something after the attempt began: our time of it, put on the service's clock. */
function madeSince(row: OperationRow, serverTime: number | null, now: () => number) {
  const leadMs = serverTime === null ? 0 : serverTime - now();
  const earliest = (row.started_at ?? row.created_at) + leadMs - toleranceMs;
  return ({ created_at }: { created_at: string | null }) =>
    created_at === null || Date.parse(created_at) >= earliest;
}

/** Looks for the message: same text, from a customer, new since the attempt, claimed by no other operation. */
export async function lookForMessage(
  { v1, ledger, now }: Deps,
  row: OperationRow,
  payload: NewMessage,
): Promise<Verdict> {
  const read = await v1.getTicket(row.ticket_id!);
  if (!read.ok) return { type: 'unreadable' };
  const seen = new Set<string>(JSON.parse(row.seen_ids ?? '[]'));
  const text = canonical(payload.body);
  const isNew = madeSince(row, read.serverTime, now);
  const candidates = read.data.messages.filter(
    (message) =>
      message.author_type === 'customer' &&
      !seen.has(message.id) &&
      canonical(message.body) === text &&
      isNew(message),
  );
  const ids = candidates.map(({ id }) => id);
  const claimed = await ledger.claimedIds('message', ids);
  const id = ids.find((each) => !claimed.has(each));
  if (id !== undefined) return { type: 'found', upstream: { id, facts: null } };
  return read.data.isWhole ? { type: 'absent', proves: true } : { type: 'unreadable' };
}

/**
 * Looks for the ticket among the newest: by its ref, or by its text and then its address where the ref gave way.
 * `sent`: as it was sent.
 */
export async function lookForTicket(
  { v1, ledger, now }: Deps,
  row: OperationRow,
  sent: V1NewTicket,
): Promise<Verdict> {
  const read = await v1.listTickets();
  if (!read.ok) return { type: 'unreadable' };
  const isNew = madeSince(row, read.serverTime, now);
  const { entries, isWhole } = read.data;
  const claimed = await ledger.claimedIds(
    'ticket',
    entries.map(({ id }) => id),
  );
  const free = entries.filter(({ id }) => !claimed.has(id));
  // SECURITY: a ticket that went out with a ref is known by it alone: the same words may be somebody else's.
  const hasRef = refOf(sent.description) !== null;
  const found =
    free.find((ticket) => refOf(ticket.description) === row.ref) ??
    (hasRef ? undefined : await byText(v1, sent, free.filter(isNew)));
  if (found === 'unreadable') return { type: 'unreadable' };
  if (found) return { type: 'found', upstream: { id: found.id, facts: ticketFacts(found) } };
  if (!isWhole) return { type: 'unreadable' };
  const reachesBack = entries.some((ticket) => !isNew(ticket));
  return { type: 'absent', proves: entries.length < listLength || reachesBack };
}

async function byText(v1: V1Client, sent: V1NewTicket, tickets: readonly V1Ticket[]) {
  const textOf = (description: string) => canonical(cutFooter(description));
  const sentText = textOf(sent.description);
  const alike = tickets.filter(
    (ticket) =>
      refOf(ticket.description) === null &&
      canonical(ticket.subject) === sent.subject &&
      textOf(ticket.description) === sentText,
  );
  for (const ticket of alike) {
    const read = await v1.getTicket(ticket.id);
    if (!read.ok) return 'unreadable' as const;
    if (read.data.customer?.email?.toLowerCase() === sent.customer_email.toLowerCase()) return ticket;
  }
  return undefined;
}

/** Facts of a ticket that nobody has answered yet. */
export const ticketFacts = (ticket: V1Ticket): TicketFacts =>
  factsOf({ ...ticket, customer: null, messages: [], isWhole: true });
