import type { AppProps } from '../app.ts';
import { Icon } from '../ui/Icon.tsx';
import type { TargetedKeyboardEvent } from 'preact';
import { saveFile } from '../browser/save-file.ts';
import { transcriptOf } from './transcript.ts';
import { refOf } from '../ticket-list/names.ts';
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

/** Closes the menu, not the panel. */
function closeOnEscape(event: TargetedKeyboardEvent<HTMLElement>) {
  const menu = event.currentTarget.querySelector<HTMLElement>(':popover-open');
  if (event.key !== 'Escape' || !menu) return;
  event.preventDefault();
  menu.hidePopover();
}

/** The actions for the conversation on screen, in a menu of its bar. */
export function ThreadMenu({ app }: AppProps) {
  const { s, fullTime, viewed, messages, tickets } = app;
  const ticket = viewed.value;
  if (!ticket || messages.value.length === 0) return null;
  const number = ticket.ticket_number;
  const download = () => {
    const hasEarlier = tickets.thread(refOf(ticket))?.has_earlier === true;
    const names = { hasEarlier, states: s.states, brand: brandOf(app), you: s.you, fullTime };
    const name = number === null ? s.conversation : `${s.conversation} ${number}`;
    saveFile(`${name}.txt`, transcriptOf(ticket, messages.peek(), names), 'text/plain');
  };
  const actions: [isOffered: boolean, label: string, run: () => void][] = [
    [number !== null, s.copyNumber, () => copy(String(number))],
    [true, s.download, download],
    // Prints after the menu is closed, so that the menu is not printed.
    [true, s.print, () => setTimeout(print)],
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of what is in it
    <div onKeyDown={closeOnEscape}>
      <button
        type="button"
        class="icon-button"
        aria-label={s.more}
        title={s.more}
        // Shown and closed by the browser itself, also by Escape and by a press beside it.
        {...{ popovertarget: 'thread-menu' }}
      >
        <Icon name="more" />
      </button>
      <div class="menu" id="thread-menu" popover="auto">
        {actions.map(
          ([isOffered, label, run]) =>
            isOffered && (
              <button key={label} type="button" {...{ popovertarget: 'thread-menu' }} onClick={run}>
                {label}
              </button>
            ),
        )}
      </div>
    </div>
  );
}
