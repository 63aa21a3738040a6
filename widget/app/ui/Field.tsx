import type { ComponentChildren } from 'preact';
import type { AppProps } from '../app.ts';

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
