import type { OperationState, TicketSummary } from '../../../shared/contract/tickets.ts';
import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import type { ShownMessage } from '../outbox/sends.ts';

interface Names {
  /** Earlier messages are not here. */
  hasEarlier: boolean;
  /** The text for a message that has not been delivered. */
  states: Record<OperationState, string>;
  brand: string;
  you: string;
  fullTime: (iso: string) => string;
}

/** A conversation as plain text, for a file: its subject and number, then each message under its author and time. */
export function transcriptOf(
  { subject, ticket_number }: Pick<TicketSummary, 'subject' | 'ticket_number'>,
  messages: readonly ShownMessage[],
  { hasEarlier, states, brand, you, fullTime }: Names,
): string {
  const title = ticket_number === null ? subject : `${subject} (#${ticket_number})`;
  const parts = messages
    .filter(({ hidden }) => !hidden)
    .map(({ author_type, created_at, state, body, files = [] }) => {
      const author = author_type === 'agent' ? brand : you;
      const facts = [author, created_at && fullTime(created_at), state !== 'done' && states[state]];
      const text = plainText(readMessage(body, author_type), { isShort: false });
      const links = files.map(({ name, url }) => `${name}: ${url}`);
      return [facts.filter(Boolean).join(', '), text, ...links].filter(Boolean).join('\n');
    });
  return `${[title, ...(hasEarlier ? ['…'] : []), ...parts].join('\n\n')}\n`;
}
