import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ShownMessage } from '../outbox/sends.ts';

interface Names {
  brand: string;
  you: string;
  fullTime: (iso: string) => string;
}

/** A conversation as plain text, for a file: its subject and number, then each message under its author and time. */
export function transcriptOf(
  { subject, ticket_number }: Pick<TicketSummary, 'subject' | 'ticket_number'>,
  messages: readonly ShownMessage[],
  { brand, you, fullTime }: Names,
): string {
  const title = ticket_number === null ? subject : `${subject} (#${ticket_number})`;
  const parts = messages
    .filter(({ hidden }) => !hidden)
    .map(({ author_type, created_at, body }) => {
      const author = author_type === 'agent' ? brand : you;
      return `${author}${created_at ? `, ${fullTime(created_at)}` : ''}\n${body}`;
    });
  return `${[title, ...parts].join('\n\n')}\n`;
}
