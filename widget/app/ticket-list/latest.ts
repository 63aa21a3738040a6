import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import { showConversation } from '../thread/show-conversation.ts';
import type { Send } from '../outbox/sends.ts';

/**
 * A ticket of the list with its newest message as the preview if that is the customer's, which the list of the BFF may
 * lack. Times are not compared, since the customer's clock may be wrong. An unread answer is newer.
 */
export function withOwnWords(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
): TicketSummary {
  const last = showConversation(summary, ticket, sends).at(-1);
  if (last?.author_type !== 'customer' || last.hidden || last.state === 'rejected' || summary.unread > 0)
    return summary;
  const text = plainText(readMessage(last.body, 'customer'), { isShort: true });
  return { ...summary, preview: { author_type: 'customer', text } };
}
