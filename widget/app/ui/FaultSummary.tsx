import { fieldNames } from '../state/new-ticket.ts';
import type { SharedProps } from './shared.ts';

/** Why the form did not go, with a way to each field; takes focus at every refusal. */
export function FaultSummary({ app: { errorText, faultText, newTicket } }: SharedProps) {
  const { faults, failure } = newTicket;
  const code = failure.value;
  if (code === null) return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} data-focus="summary">
      <p>{errorText(code)}</p>
      {fieldNames.map((name) => {
        const fault = faults.value[name];
        return (
          fault && (
            <button
              key={name}
              type="button"
              class="link"
              onClick={() => document.getElementById(name)?.focus()}
            >
              {faultText(fault, name)}
            </button>
          )
        );
      })}
    </div>
  );
}
