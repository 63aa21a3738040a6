import type { ComponentChildren } from 'preact';
import { submitOnSendKey } from './fields.ts';
import type { SharedProps } from './shared.ts';

interface TextKind {
  autoComplete: 'name' | 'email' | 'one-time-code' | 'off';
  inputMode?: 'numeric';
  maxLength?: number;
}
type Kind = TextKind | (TextKind & { type: 'email' });

interface FieldProps extends SharedProps {
  name: string;
  label: string;
  fault: string | false | undefined;
  /** What belongs to the kind of input; null for a text of many lines. */
  kind: Kind | null;
  value?: string;
  readOnly?: boolean;
  isOptional?: boolean;
  takesFocus?: boolean;
  onText?: (text: string) => void;
  /** A counter, whose id is `{name}-count`. */
  children?: ComponentChildren;
}

/** One labelled field of a form, its fault and its counter tied to it. */
export function Field(props: FieldProps) {
  const { app, name, label, fault, kind, isOptional, takesFocus, onText, children, ...more } = props;
  const control = {
    id: name,
    name,
    dir: 'auto',
    'aria-required': !isOptional,
    'aria-invalid': Boolean(fault),
    'aria-describedby': `${name}-note ${name}-count`,
    'data-focus': takesFocus && 'field',
    onInput: (event: { currentTarget: { value: string } }) => onText?.(event.currentTarget.value),
    ...more,
  } as const;
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {isOptional && !fault && <span id={`${name}-note`}>{app.s.optional}</span>}
      {kind ? (
        <input {...kind} {...control} />
      ) : (
        <textarea rows={5} onKeyDown={submitOnSendKey} {...control} />
      )}
      {fault && (
        <p class="fault" id={`${name}-note`}>
          {fault}
        </p>
      )}
      {children}
    </div>
  );
}
