import type { NewMessage } from '../contract/tickets.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import { cutFooter, refOf } from '../tickets/footer.ts';
import { factsOf } from '../tickets/present.ts';
import { canonical } from '../tickets/text.ts';
import type { V1Client, V1NewTicket } from '../v1/client.ts';
import type { V1Ticket } from '../v1/schema.ts';
import type { Ledger, Upstream } from './ledger.ts';

/** What reading the service tells of a send in doubt. */
export type Verdict =
  | { type: 'found'; upstream: Upstream }
  /**
   * A whole and readable answer does not hold it, `sinceMs` after the attempt by the service's clock. `proves`: it
   * reaches back to before the attempt.
   */
  | { type: 'absent'; proves: boolean; sinceMs: number }
  | { type: 'unreadable' };

interface Deps {
  v1: V1Client;
  ledger: Pick<Ledger, 'claimedIds'>;
  now: () => number;
}

const listLength = 50;
/** The `Date` header has whole seconds, and `created_at` may be set a moment before the attempt is logged. */
const toleranceMs = 5_000;

/** When the attempt began, and how long ago that was, both by the service's clock where that is known. */
function attemptOf(row: OperationRow, serverTime: number | null, now: () => number) {
  const time = serverTime ?? now();
  // Measured before the attempt where possible: our own clock may have been set since.
  const began = row.started_there ?? (row.started_at ?? row.created_at) + time - now();
  return {
    sinceMs: time - began,
    isNewer: ({ created_at }: { created_at: string | null }) =>
      created_at === null || Date.parse(created_at) >= began - toleranceMs,
  };
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
  const { sinceMs, isNewer } = attemptOf(row, read.serverTime, now);
  const candidates = read.data.messages.filter(
    (message) =>
      message.author_type === 'customer' &&
      !seen.has(message.id) &&
      canonical(message.body) === text &&
      isNewer(message),
  );
  const claimed = await ledger.claimedIds(
    'message',
    candidates.map(({ id }) => id),
  );
  const [first, ...others] = candidates.filter(({ id }) => !claimed.has(id));
  if (first)
    return { type: 'found', upstream: { id: first.id, facts: null, isAmbiguous: others.length > 0 } };
  return read.data.isWhole ? { type: 'absent', proves: true, sinceMs } : { type: 'unreadable' };
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
  const { sinceMs, isNewer } = attemptOf(row, read.serverTime, now);
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
    (hasRef ? undefined : await byText(v1, sent, free.filter(isNewer)));
  if (found === 'unreadable') return { type: 'unreadable' };
  if (found) return { type: 'found', upstream: { id: found.id, facts: ticketFacts(found) } };
  if (!isWhole) return { type: 'unreadable' };
  const reachesBack = entries.some((ticket) => !isNewer(ticket));
  return { type: 'absent', proves: entries.length < listLength || reachesBack, sinceMs };
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
