import { fieldNames } from '../state/new-ticket.ts';
import type { SharedProps } from './shared.ts';

/**
 * Why the form did not go, with a way to each field, which says its own fault. It takes focus at every refusal, and is
 * read out by that: as an alert it would be read out twice.
 */
export function FaultSummary({ app: { s, errorText, newTicket, view } }: SharedProps) {
  const { faults, failure } = newTicket;
  const code = failure.value;
  if (code === null) return null;
  const faulty = fieldNames.filter((name) => faults.value[name]);
  return (
    <fieldset class="summary" aria-labelledby="summary" tabIndex={-1} data-focus="summary">
      <p id="summary">{faulty.length > 0 ? s.fixFaults : errorText(code)}</p>
      {code === 'email_unverified' && (
        <button type="button" class="link" onClick={() => view.go({ name: 'find' })}>
          {s.verify}
        </button>
      )}
      {faulty.map((name) => (
        <button key={name} type="button" class="link" onClick={() => document.getElementById(name)?.focus()}>
          {s.fields[name]}
        </button>
      ))}
    </fieldset>
  );
}
