import { canonical } from '../../text/canonical.ts';
import type { OperationRow } from '../../store/schema.ts';
import { refOf } from '../../tickets/footer.ts';
import type { V1NewTicket } from '../../v1/client.ts';
import type { V1Message, V1Ticket } from '../../v1/schema.ts';
import { hasTextOf, isFrom, isSince, type LookUpDeps } from './settle.ts';

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
  const isNew = !(JSON.parse(row.seen_ids ?? '[]') as string[]).includes(id);
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
