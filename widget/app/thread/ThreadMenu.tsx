import type { App, AppProps } from '../app.ts';
import { saveFile } from '../browser/save-file.ts';
import { refOf } from '../ticket-list/names.ts';
import { Menu } from '../ui/Menu.tsx';
import { TicketStatus } from '../ui/TicketStatus.tsx';
import { brandOf } from '../ui/View.tsx';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
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
  const { s, viewed, messages } = app;
  const ticket = viewed.value;
  if (!ticket || messages.value.length === 0) return null;
  const number = ticket.ticket_number;
  const download = () => {
    const name = number === null ? s.conversation : `${s.conversation} ${number}`;
    saveFile(`${name}.txt`, transcriptOf(app, ticket, messages.peek()), 'text/plain');
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

/** A conversation as plain text, for a file: its subject and number, then each message under its author and time. */
export function transcriptOf(app: App, ticket: TicketSummary, messages: readonly ShownMessage[]): string {
  const { s, fullTime, tickets } = app;
  const { subject, ticket_number } = ticket;
  const hasEarlier = tickets.thread(refOf(ticket))?.has_earlier;
  const you = ticket.colleague ? s.colleague : s.you;
  const title = ticket_number === null ? subject : `${subject} (#${ticket_number})`;
  const parts = messages
    .filter(({ hidden }) => !hidden)
    .map(({ author_type, created_at, state, body, files = [] }) => {
      const author = author_type === 'agent' ? brandOf(app) : you;
      const facts = [author, created_at && fullTime(created_at), state !== 'done' && s.states[state]];
      const text = plainText(readMessage(body, author_type), { isShort: false });
      const links = files.map(({ name, url }) => `${name}: ${url}`);
      return [facts.filter(Boolean).join(', '), text, ...links].filter(Boolean).join('\n');
    });
  return `${[title, ...(hasEarlier ? ['…'] : []), ...parts].join('\n\n')}\n`;
}
