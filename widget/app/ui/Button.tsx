import type { ComponentChild, TargetedMouseEvent } from 'preact';
import { Drawing } from './Icon.tsx';
import type { AppProps } from '../app.ts';

type OnClick = (event: TargetedMouseEvent<HTMLButtonElement>) => unknown;

interface ButtonProps {
  label: ComponentChild;
  /** Its classes. */
  look?: string;
  onClick: OnClick;
}

/** A button with a text. */
export const Button = ({ label, look = 'button', onClick }: ButtonProps) => (
  <button type="button" class={look} onClick={onClick}>
    {label}
  </button>
);

interface IconButtonProps {
  /** What it does, for screen readers and as a tooltip. */
  label: string;
  /** The path of its drawing. */
  icon: string;
  /** Classes besides that of all such buttons. */
  look?: string;
  isOff?: boolean;
  onClick: OnClick;
}

/** A button with a drawing in place of a text. */
export const IconButton = ({ label, icon, look = '', isOff, onClick }: IconButtonProps) => (
  <button
    type="button"
    class={`icon-button ${look}`}
    aria-label={label}
    title={label}
    aria-disabled={isOff}
    onClick={onClick}
  >
    <Drawing path={icon} />
  </button>
);

/** The button to the form. It shows the beginning of the message that waits there. */
export function NewTicketButton({ app: { s, view, newTicket } }: AppProps) {
  const draft = newTicket.draft.value.slice(0, 100);
  return (
    <button type="button" class="button" onClick={() => view.go({ name: 'new' })}>
      {draft ? s.continueDraft : s.newTicket}
      {draft && (
        <span class="draft" dir="auto">
          {draft}
        </span>
      )}
    </button>
  );
}
