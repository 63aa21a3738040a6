import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Send, ShownMessage } from './sends.ts';
import { asMessage, ticketOf } from './sends.ts';
import { isSame } from './tickets.ts';

/** One conversation: what the BFF shows of it, then what is still on its way from here. */
export function showConversation(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
): ShownMessage[] {
  const { key, state, can_retry, error = null } = summary;
  const held: readonly ShownMessage[] = ticket?.messages ?? [];
  const own = sends.filter(
    (send) => isSame(ticketOf(send), summary) && !held.some((message) => message.key === send.key),
  );
  // Of the message that opens a ticket the list knows first how far it has come, once the BFF holds it.
  const follow = (message: ShownMessage) =>
    key !== null && message.key === key ? Object.assign({}, message, { state, can_retry, error }) : message;
  return [
    ...held.map(follow),
    ...own.map((send) => (send.is_held ? follow(asMessage(send)) : asMessage(send))),
  ];
}
