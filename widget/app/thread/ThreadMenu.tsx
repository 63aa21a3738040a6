import type { AppProps } from '../app.ts';
import { saveFile } from '../browser/save-file.ts';
import { transcriptOf } from './transcript.ts';
import { refOf } from '../ticket-list/names.ts';
import { Menu } from '../ui/Menu.tsx';
import { TicketStatus } from '../ui/TicketStatus.tsx';
import { brandOf } from '../ui/View.tsx';

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
