import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import { showConversation } from '../thread/show-conversation.ts';
import type { Send } from '../outbox/sends.ts';

/**
 * A ticket of the list with what its customer has said last, as far as this page knows: the BFF's list has no word of
 * it. By no clock: the customer's may be wrong. What is unread came after it.
 */
export function withOwnWords(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
): TicketSummary {
  const last = showConversation(summary, ticket, sends).at(-1);
  if (last?.author_type !== 'customer' || last.hidden || last.state === 'rejected' || summary.unread > 0)
    return summary;
  return { ...summary, preview: { author_type: 'customer', text: last.body } };
}
