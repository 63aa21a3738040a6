import { priorities } from '../../../bff/contract/tickets.ts';
import { fill } from '../i18n/words.ts';
import { fieldNames } from '../state/new-ticket.ts';
import { Bar } from './Bar.tsx';
import { Field } from './Field.tsx';
import { sendKeys } from './fields.ts';
import { Hero } from './Hero.tsx';
import type { SharedProps } from './shared.ts';

/** The form of a new ticket; for a customer without tickets it is the start. */
export function NewTicket({ app }: SharedProps) {
  const { s, settings, newTicket, view, home, sending } = app;
  const place = view.current.value;
  const isStart = place.name === 'start' || (place.name === 'new' && place.isStart);
  const fields = newTicket.fields.value;
  const firstEmpty = fieldNames.find((name) => fields[name] === '');
  return (
    <main class="view">
      {isStart ? (
        <Hero app={app} />
      ) : (
        <Bar app={app} back={home.value !== 'form' && [s.backToTickets, () => view.go({ name: 'start' })]}>
          <h1 tabIndex={-1} data-focus="heading">
            {s.newTicket}
          </h1>
        </Bar>
      )}
      <form
        class="body"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          sending.submitTicket();
        }}
      >
        <FaultSummary app={app} />
        {fieldNames.map((name) => (
          <Field key={name} app={app} name={name} takesFocus={name === firstEmpty} />
        ))}
        {settings.value.priority && (
          <div class="field">
            <label for="priority">{s.fields.priority}</label>
            <span id="priority-note">{s.optional}</span>
            <select
              id="priority"
              aria-describedby="priority-note"
              value={fields.priority}
              onChange={(event) => newTicket.set('priority', event.currentTarget.value)}
            >
              <option value="">{s.noPriority}</option>
              {priorities.map((priority) => (
                <option key={priority} value={priority}>
                  {s.priorities[priority]}
                </option>
              ))}
            </select>
          </div>
        )}
        <button type="submit" class="button">
          {s.send}
        </button>
        <p class="hint keys">{fill(s.sendHint, { keys: sendKeys })}</p>
      </form>
    </main>
  );
}

/** Why the form did not go, with a way to each field; takes focus at every refusal. */
function FaultSummary({ app: { s, faultText, newTicket } }: SharedProps) {
  const { faults, failure } = newTicket;
  const code = failure.value;
  if (code === null) return null;
  return (
    <div class="summary" role="alert" tabIndex={-1} data-focus="summary">
      <p>{s.errors[code] ?? s.errors.internal}</p>
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
