import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Send, ShownMessage } from './sends.ts';
import { asMessage } from './sends.ts';
import { isSame } from './tickets.ts';

/** True for a reply to this ticket, whether the ticket had an id when it was written or not. */
export const isReplyTo = (ticket: Pick<TicketSummary, 'id' | 'key'>) => (send: Send) =>
  send.kind === 'message' && isSame(send.ticket, ticket);

/** One conversation: what the BFF shows of it, then what is still on its way from here. */
export function showConversation(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
): ShownMessage[] {
  const { key, state, can_retry, error = null } = summary;
  const held: readonly ShownMessage[] = ticket?.messages ?? [];
  const own = sends.filter(
    (send) =>
      (send.key === key || isReplyTo(summary)(send)) && !held.some((message) => message.key === send.key),
  );
  // Of the message that opens a ticket the list knows first how far it has come, once the BFF holds it.
  const follow = (message: ShownMessage) =>
    message.key === key ? Object.assign({}, message, { state, can_retry, error }) : message;
  return [
    ...held.map(follow),
    ...own.map((send) => (send.is_held ? follow(asMessage(send)) : asMessage(send))),
  ];
}
