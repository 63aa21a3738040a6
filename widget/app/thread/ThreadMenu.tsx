import type { AppProps } from '../app.ts';
import { saveFile } from '../browser/save-file.ts';
import { refOf } from '../ticket-list/names.ts';
import { Menu } from '../ui/Menu.tsx';
import { TicketStatus } from '../ui/TicketStatus.tsx';
import { brandOf } from '../ui/View.tsx';
import type { OperationState, TicketSummary } from '../../../shared/contract/tickets.ts';
import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import type { ShownMessage } from '../outbox/sends.ts';

function copy(text: string) {
  const focused = document.activeElement as HTMLElement | null;
  const field = Object.assign(document.createElement('textarea'), { value: text, className: 'unseen' });
  document.body.append(field);
  field.select();
  // Not `navigator.clipboard`, which needs a permission in a frame.
  document.execCommand('copy');
  field.remove();
  focused?.focus();
}

/** What few customers need of the conversation on screen: its subject in full, its state, its number, its text. */
export function ThreadMenu({ app }: AppProps) {
  const { s, fullTime, viewed, messages, tickets } = app;
  const ticket = viewed.value;
  if (!ticket || messages.value.length === 0) return null;
  const number = ticket.ticket_number;
  const download = () => {
    const hasEarlier = tickets.thread(refOf(ticket))?.has_earlier === true;
    const names = {
      hasEarlier,
      states: s.states,
      brand: brandOf(app),
      you: ticket.colleague ? s.colleague : s.you,
      fullTime,
    };
    const name = number === null ? s.conversation : `${s.conversation} ${number}`;
    saveFile(`${name}.txt`, transcriptOf(ticket, messages.peek(), names), 'text/plain');
  };
  return (
    <Menu
      app={app}
      id="thread-menu"
      items={[
        number !== null && [s.copyNumber, () => copy(String(number))],
        [s.download, download],
        // Prints after the menu is closed, so that the menu is not printed.
        [s.print, () => setTimeout(print)],
      ]}
    >
      <p class="menu-subject">{ticket.subject}</p>
      <TicketStatus app={app} ticket={ticket} />
    </Menu>
  );
}

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
