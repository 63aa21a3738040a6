import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import { showConversation } from './conversation.ts';
import type { Send } from './sends.ts';
import { byTime } from './tickets.ts';

const previewLength = 200;

/** A ticket of the list with what its customer has said last, as far as this page knows: the BFF's list has no word of it. */
export function withOwnWords(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
): TicketSummary {
  const last = showConversation(summary, ticket, sends).at(-1);
  if (last?.author_type !== 'customer' || last.hidden) return summary;
  const updated_at = last.created_at ?? summary.updated_at;
  const own: TicketSummary = {
    ...summary,
    updated_at,
    preview: { author_type: 'customer', text: last.body.slice(0, previewLength) },
  };
  // An answer may have come that the conversation here does not have yet.
  return byTime(own, summary) < 0 ? summary : own;
}
