import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { Send, TicketSend } from '../outbox/sends.ts';
import { asTicket } from '../outbox/sends.ts';
import { isNamed } from './names.ts';

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
