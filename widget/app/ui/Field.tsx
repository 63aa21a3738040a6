import { codePoints, maxLength } from '../../../bff/contract/limits.ts';
import type { FieldName } from '../state/new-ticket.ts';
import { Counter } from './Counter.tsx';
import { submitOnSendKey } from './fields.ts';
import type { SharedProps } from './shared.ts';

interface FieldProps extends SharedProps {
  name: FieldName;
  takesFocus: boolean;
}

const kinds = {
  customer_name: { autoComplete: 'name' },
  customer_email: { type: 'email', autoComplete: 'email' },
  subject: { autoComplete: 'off' },
  description: {},
} as const;

/** One labelled field of the form, its fault and its counter tied to it. */
export function Field({ app, name, takesFocus }: FieldProps) {
  const { s, faultText, newTicket, view } = app;
  const value = newTicket.fields.value[name];
  const fault = newTicket.faults.value[name];
  const isOptional = name === 'customer_name';
  const max = maxLength[name];
  const field = {
    id: name,
    name,
    value,
    dir: 'auto',
    'aria-required': !isOptional,
    'aria-invalid': fault !== undefined,
    'aria-describedby': `${name}-note ${name}-count`,
    'data-focus': takesFocus && 'field',
    onInput(event: { currentTarget: { value: string } }) {
      view.keepForm();
      newTicket.set(name, event.currentTarget.value);
    },
  } as const;
  return (
    <div class="field">
      <label for={name}>{s.fields[name]}</label>
      {isOptional && !fault && <span id={`${name}-note`}>{s.optional}</span>}
      {name === 'description' ? (
        <textarea rows={5} onKeyDown={submitOnSendKey} {...field} />
      ) : (
        <input {...kinds[name]} {...field} />
      )}
      {fault && (
        <p class="fault" id={`${name}-note`}>
          {faultText(fault, name)}
        </p>
      )}
      <Counter app={app} id={`${name}-count`} left={max - codePoints(value)} max={max} />
    </div>
  );
}
