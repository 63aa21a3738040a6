import type { Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Send, ShownMessage } from './sends.ts';
import { asMessage } from './sends.ts';

/** True for a reply to this ticket, whether the ticket had an id when it was written or not. */
export const isReplyTo =
  ({ id, key }: { id: string | null; key: string | null }) =>
  (send: Send) =>
    send.kind === 'message' && (id === null ? send.ticket.key === key : send.ticket.id === id);

/** The first message of a ticket that the service does not hold yet; once the BFF does, its word on the state counts. */
function waitingMessage(
  { key, created_at, state, can_retry, error, preview }: TicketSummary,
  send: Send | undefined,
) {
  const held = { state, can_retry, error: error ?? null };
  if (send) return { ...asMessage(send), ...(send.is_held && held) };
  const body = preview?.text ?? '';
  return { ...held, id: null, key, author_type: 'customer' as const, body, created_at, hidden: false };
}

/** One conversation: what the server holds, then what is still on its way from here. */
export function showConversation(summary: TicketSummary, ticket: Ticket | undefined, sends: readonly Send[]) {
  const creation = sends.find((send) => send.kind === 'ticket' && send.key === summary.key);
  const held: ShownMessage[] =
    ticket?.messages ?? (summary.id === null || creation ? [waitingMessage(summary, creation)] : []);
  const isHeld = (key: string) => held.some((message) => message.key === key);
  return [...held, ...sends.filter((send) => isReplyTo(summary)(send) && !isHeld(send.key)).map(asMessage)];
}
