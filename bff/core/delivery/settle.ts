import { isDeepStrictEqual } from 'node:util';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import { isRepeat, refOf, splitFooter } from '../tickets/footer.ts';
import { bodyOf, factsOf, readBodies } from '../tickets/present.ts';
import { canonical } from '../text/canonical.ts';
import type { V1Client, V1NewTicket } from '../v1/client.ts';
import type { V1Message, V1Thread, V1Ticket } from '../v1/schema.ts';
import type { Ledger, Upstream } from './ledger.ts';
import type { Absent } from './machine.ts';

/** The result of a read of the service for a send in doubt. */
export type Verdict = { type: 'found'; upstream: Upstream } | Absent | { type: 'unreadable' };

export interface LookUpDeps {
  v1: V1Client;
  ledger: Pick<Ledger, 'takenIds' | 'attemptAgeMs'>;
  now: () => number;
  /**
   * The customer pressed "Send again". Then an equal text that belongs to no other send is accepted as the send,
   * without a check of its time.
   */
  isAsked?: boolean;
}

/** The `Date` header has whole seconds, and `created_at` may be set a moment before the attempt is logged. */
const toleranceMs = 5_000;
/** For a send without an attempt, which is dated by our clock alone: more than clocks that are kept by NTP differ. */
const undatedToleranceMs = 15 * 60_000;

/**
 * Creates a function that tells whether something was created since the attempt began, by the service's clock if
 * known. The monotonic age of the attempt limits the result, since both wall clocks may have been set.
 */
export function isSince(row: OperationRow, serverTime: number | null, { ledger, now, isAsked }: LookUpDeps) {
  if (isAsked) return () => true;
  const at = now();
  const time = serverTime ?? at;
  // Every send in doubt has begun: one whose store was set back counts from its acceptance.
  const stated = row.started_there ?? row.started_at! + time - at;
  const began = Math.min(stated, time - ledger.attemptAgeMs(row));
  const earliest = began - (row.attempts === 0 ? undatedToleranceMs : toleranceMs);
  return ({ created_at }: { created_at: string | null }) =>
    created_at === null || Date.parse(created_at) >= earliest;
}

const seenIdsOf = ({ seen_ids }: OperationRow): string[] => JSON.parse(seen_ids ?? '[]');

/** Some services repeat the description as the first message. */
const repeatsDescription = ({ description, messages }: V1Thread, message: V1Message) =>
  message === messages.find(({ author_type }) => author_type === 'customer') &&
  isRepeat(bodyOf(message), splitFooter(description));

/**
 * Looks for the message: same text, from a customer, not there before the attempt, of no other operation, and created
 * since. A message that is only too old, or may repeat the description, is not accepted, but then absence is not
 * proven either. `sent`: the text as it was sent.
 */
export async function lookForMessage(deps: LookUpDeps, row: OperationRow, sent: string): Promise<Verdict> {
  const { v1, ledger } = deps;
  const ticketId = row.ticket_id!;
  const ageMs = ledger.attemptAgeMs(row);
  const read = await v1.getTicket(ticketId);
  if (!read.ok) return { type: 'unreadable' };
  const seen = seenIdsOf(row);
  const text = canonical(sent);
  const isNewer = isSince(row, read.serverTime, deps);
  await readBodies(read.data);
  const alike = read.data.messages.filter(
    (message) =>
      message.author_type === 'customer' && !seen.includes(message.id) && bodyOf(message).all === text,
  );
  const taken = await ledger.takenIds(
    alike.map(({ id }) => id),
    ticketId,
  );
  const free = alike.filter(({ id }) => !taken.has(id));
  const [first, ...others] = free.filter(
    (message) => isNewer(message) && !repeatsDescription(read.data, message),
  );
  if (first)
    return { type: 'found', upstream: { id: first.id, facts: null, isAmbiguous: others.length > 0 } };
  return read.data.isWhole ? { type: 'absent', proves: free.length === 0, ageMs } : { type: 'unreadable' };
}

/**
 * Looks for the ticket among the newest: by its ref or, if it was sent without one, by its text and then its address.
 * `sent`: the ticket as it was sent.
 */
export async function lookForTicket(
  deps: LookUpDeps,
  row: OperationRow,
  sent: V1NewTicket,
): Promise<Verdict> {
  const { v1, ledger } = deps;
  const ageMs = ledger.attemptAgeMs(row);
  const read = await v1.listTickets();
  if (!read.ok) return { type: 'unreadable' };
  const isNewer = isSince(row, read.serverTime, deps);
  const { entries, isWhole, limit } = read.data;
  const taken = await ledger.takenIds(
    entries.map(({ id }) => id),
    null,
  );
  const free = entries.filter(({ id }) => !taken.has(id));
  // SECURITY: a ticket that was sent with a ref is recognised by the ref alone. The same text may be somebody else's.
  const alike = row.with_ref ? [] : free.filter((ticket) => hasTextOf(ticket, sent));
  const found =
    free.find((ticket) => refOf(ticket.description) === row.ref) ??
    (await underAddress(v1, sent, alike.filter(isNewer)));
  if (found === 'unreadable') return { type: 'unreadable' };
  if (found) return { type: 'found', upstream: { id: found.id, facts: ticketFacts(found) } };
  if (!isWhole) return { type: 'unreadable' };
  // Wall clocks of two processes may differ, so a time of the attempt that only such a clock gives proves nothing.
  const isDated = row.started_there !== null || row.attempts === 0;
  const reachesBack = entries.length < limit || (isDated && entries.some((ticket) => !isNewer(ticket)));
  return { type: 'absent', proves: reachesBack && alike.every(isNewer), ageMs };
}

/** Whether it has the subject and the text of `sent`, and no ref. */
export function hasTextOf(ticket: V1Ticket, sent: V1NewTicket): boolean {
  if (refOf(ticket.description) !== null || canonical(ticket.subject) !== canonical(sent.subject))
    return false;
  const [there, here] = [ticket, sent].map(({ description }) => splitFooter(description));
  return there!.text === here!.text && isDeepStrictEqual(there!.details, here!.details);
}

/** Whether its customer has the address that `sent` names. */
export const isFrom = ({ customer }: V1Thread, { customer_email: email }: V1NewTicket) =>
  customer?.email?.toLowerCase() === email.toLowerCase();

async function underAddress(v1: V1Client, sent: V1NewTicket, tickets: readonly V1Ticket[]) {
  // The list has the newest first: of equal tickets, the earliest belongs to the earliest send.
  for (const ticket of tickets.toReversed()) {
    const read = await v1.getTicket(ticket.id);
    if (!read.ok) return 'unreadable' as const;
    if (isFrom(read.data, sent)) return ticket;
  }
  return undefined;
}

/** Facts of a ticket that nobody has answered yet. */
export const ticketFacts = (ticket: V1Ticket): TicketFacts =>
  factsOf({ ...ticket, customer: null, messages: [], isWhole: true });

/*
 * SECURITY: an answer may be about another request, such as behind a proxy that answers one request twice. So it must
 * repeat the send. A service may also leave texts out or change them: then a read decides.
 */

/** Whether this message answers the reply `sent`. */
export async function isAnswerToReply(
  { v1 }: Pick<LookUpDeps, 'v1'>,
  row: OperationRow,
  sent: string,
  { id, body }: V1Message,
): Promise<boolean> {
  if (canonical(body) === canonical(sent)) return true;
  const read = await v1.getTicket(row.ticket_id!);
  const isNew = !seenIdsOf(row).includes(id);
  const isThere = (message: V1Message) => message.id === id && message.author_type === 'customer';
  return isNew && read.ok && read.data.messages.some(isThere);
}

/** Whether this ticket answers the new ticket `sent`. */
export async function isAnswerToTicket(
  deps: LookUpDeps,
  row: OperationRow,
  sent: V1NewTicket,
  ticket: V1Ticket,
): Promise<boolean> {
  // Without its ref, the same text may be somebody else's.
  const repeats = (one: V1Ticket) =>
    refOf(one.description) === row.ref || (row.with_ref === 0 && hasTextOf(one, sent));
  const hasOtherRef = (one: V1Ticket) => ![null, row.ref].includes(refOf(one.description));
  if (repeats(ticket)) return true;
  if (hasOtherRef(ticket)) return false;
  const read = await deps.v1.getTicket(ticket.id);
  if (!read.ok || hasOtherRef(read.data)) return false;
  return repeats(read.data) || (isFrom(read.data, sent) && isSince(row, read.serverTime, deps)(read.data));
}
