import type { ComponentChildren, TargetedKeyboardEvent, TargetedSubmitEvent } from 'preact';
import type { AppProps } from '../app.ts';
import { fill } from '../i18n/words.ts';
import { Button } from './Button.tsx';

interface TextKind {
  autoComplete: 'name' | 'email' | 'off';
  maxLength?: number;
}
type Kind = TextKind | (TextKind & { type: 'email' });

interface FieldProps extends AppProps {
  name: string;
  label: string;
  error: string | false | undefined;
  /** Attributes of the input; null for a textarea. */
  kind: Kind | null;
  value?: string;
  readOnly?: boolean;
  isOptional?: boolean;
  takesFocus?: boolean;
  onText?: (text: string) => void;
  /** The field was left with another text than before. */
  onChange?: (() => void) | undefined;
  /** A counter, whose id is `{name}-count`. */
  children?: ComponentChildren;
}

/** A labelled field of a form, with its error and its counter. */
export function Field(props: FieldProps) {
  const { app, name, label, error, kind, isOptional, takesFocus, onText, children, ...more } = props;
  const control = {
    id: name,
    name,
    // An empty field has the direction of the panel.
    dir: more.value ? 'auto' : undefined,
    'aria-required': !isOptional,
    'aria-invalid': Boolean(error),
    'aria-describedby': `${name}-note ${name}-count`,
    'data-focus': takesFocus ? 'field' : undefined,
    onInput: (event: { currentTarget: { value: string } }) => onText?.(event.currentTarget.value),
    ...more,
  } as const;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {isOptional && !error && <span id={`${name}-note`}>{app.s.optional}</span>}
      {kind ? <input {...kind} {...control} /> : <textarea rows={5} autoComplete="off" {...control} />}
      {error && (
        <p class="error" id={`${name}-note`}>
          {error}
        </p>
      )}
      {children}
    </div>
  );
}

/** Shows how many characters are left, near the limit and beyond it. */
export function Counter({
  app: { s, count },
  id,
  left,
  max,
}: AppProps & { id: string; left: number; max: number }) {
  if (left > Math.min(max / 10, 500)) return null;
  return (
    <p class={left < 0 ? 'error' : 'hint'} id={id}>
      {count(left < 0 ? s.over : s.left, Math.abs(left))}
    </p>
  );
}

/** Below the field of an address: offers the one that was probably meant. It never keeps the customer from sending. */
export function MeantAddress({ app: { s, newTicket }, field }: AppProps & { field: string }) {
  const domain = newTicket.meant.value;
  function take() {
    newTicket.takeMeant(domain!);
    document.getElementById(field)?.focus();
  }
  return (
    <output class={domain ? undefined : 'unseen'}>
      {domain && <Button label={fill(s.didYouMean, { domain })} look="link" onClick={take} />}
    </output>
  );
}

/** The keys that send, as named on this keyboard. */
export const sendKeys = /Mac|iP/.test(navigator.platform) ? '⌘ Enter' : 'Ctrl + Enter';

/** The `keyCode` of a key for an input method. `isComposing` is false for the one that ends a word in Safari. */
export const inInputMethod = 229;

/**
 * Ctrl or Cmd with Enter submits the form, but not while an input method composes a word.
 * @param isEnterEnough Enter alone submits too; with Shift it inserts a line break
 */
export function submitOnSendKey(event: TargetedKeyboardEvent<HTMLElement>, isEnterEnough = false) {
  const isSendKey = event.ctrlKey || event.metaKey || (isEnterEnough && !event.shiftKey);
  if (event.key !== 'Enter' || !isSendKey || event.keyCode === inInputMethod) return;
  event.preventDefault();
  event.currentTarget.closest('form')?.requestSubmit();
}

/** The value of a field of the form that was submitted. */
export const readField = ({ currentTarget }: TargetedSubmitEvent<HTMLFormElement>, name: string): string =>
  (currentTarget.elements.namedItem(name) as HTMLInputElement).value;
