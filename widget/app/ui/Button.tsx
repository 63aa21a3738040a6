import type { ComponentChild, TargetedMouseEvent } from 'preact';
import { Drawing } from './Icon.tsx';

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
