import type { Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { FileUrls, Send, ShownMessage } from '../outbox/sends.ts';
import { asMessage, ticketOf } from '../outbox/sends.ts';
import { isSame } from '../ticket-list/names.ts';

/** The messages of a conversation: those of the BFF, then those that are still in the outbox. */
export function showConversation(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
  urls?: FileUrls,
): ShownMessage[] {
  const { key, state, can_retry, error = null } = summary;
  const cached: readonly ShownMessage[] = ticket?.messages ?? [];
  const own = sends.filter(
    (send) => isSame(ticketOf(send), summary) && !cached.some((message) => message.key === send.key),
  );
  // The state of a ticket's first message is that of the ticket in the list, which is updated first.
  const follow = (message: ShownMessage) =>
    key !== null && message.key === key ? Object.assign({}, message, { state, can_retry, error }) : message;
  return [
    ...cached.map(follow),
    ...own.map((send) => (send.is_held ? follow(asMessage(send, urls)) : asMessage(send, urls))),
  ];
}
