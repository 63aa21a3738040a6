import { maxLength } from '../../../shared/contract/limits.ts';
import { priorities } from '../../../shared/contract/tickets.ts';
import { fill } from '../i18n/words.ts';
import { type FieldName, fieldNames, optional } from './new-ticket.ts';
import { Bar, View } from '../ui/View.tsx';
import { Counter, Field, MeantAddress, readField, sendKeys, submitOnSendKey } from '../ui/Field.tsx';
import { Hero } from '../ui/Hero.tsx';
import type { AppProps } from '../app.ts';
import { Button } from '../ui/Button.tsx';

const kinds = {
  customer_name: { autoComplete: 'name' },
  customer_email: { type: 'email', autoComplete: 'email' },
  subject: { autoComplete: 'off' },
  description: null,
} as const;

/** The form of a new ticket; also the start view of a customer without tickets. */
export function NewTicket({ app }: AppProps) {
  const { s, settings, site, newTicket, view, home, sending, session, fieldErrorText } = app;
  const siteView = (
    name: 'Topics' | 'Answers' | 'NotifyField' | 'Consent' | 'Links' | 'AttachButton' | 'FileChips',
  ) => {
    const SiteView = site?.[name];
    return SiteView && <SiteView app={app} />;
  };
  const place = view.current.value;
  const isStart = place.name === 'start' || (place.name === 'new' && place.isStart);
  const fields = newTicket.fields.value;
  const waits = sending.waitsForAddress.value;
  const toFill = fieldNames.find((name) => fields[name] === '' && !optional.has(name));
  const field = (name: FieldName) => {
    const error = newTicket.errors.value[name];
    const max = maxLength[name];
    return (
      <Field
        key={name}
        app={app}
        name={name}
        label={s.fields[name]}
        kind={kinds[name]}
        value={fields[name]}
        error={error && fieldErrorText(error, name)}
        isOptional={optional.has(name)}
        readOnly={name === 'customer_email' && session.current.value?.customer?.verified === true}
        takesFocus={name === toFill}
        onText={(text) => {
          view.keepForm();
          newTicket.set(name, text);
        }}
        onChange={name === 'customer_email' ? newTicket.leaveAddress : undefined}
      >
        {name === 'customer_email' && <MeantAddress app={app} field={name} />}
        <Counter app={app} id={`${name}-count`} left={max - fields[name].length} max={max} />
      </Field>
    );
  };
  return (
    <View app={app}>
      {isStart ? (
        <Hero app={app} />
      ) : (
        <Bar
          app={app}
          back={home.value !== 'form' ? s.backToTickets : site?.hasHome && s.back}
          title={s.newTicket}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys bubble from its fields */}
      <form
        class="body"
        noValidate
        onKeyDown={submitOnSendKey}
        onSubmit={(event) => {
          event.preventDefault();
          sending.submitTicket(readField(event, 'website'));
        }}
      >
        <ErrorSummary app={app} />
        {siteView('Topics')}
        {field('description')}
        {siteView('FileChips')}
        {site?.suggestions(app)}
        {siteView('Answers')}
        {(settings.value.subject === 'ask' || newTicket.begun.value.includes('subject')) && field('subject')}
        <div class="pair">
          {field('customer_email')}
          {field('customer_name')}
        </div>
        {siteView('NotifyField')}
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
        {siteView('Consent')}
        {isStart && siteView('Links')}
        <input class="unseen" name="website" tabIndex={-1} autoComplete="off" aria-hidden="true" />
        <div class="send-row">
          {siteView('AttachButton')}
          <button type="submit" class="button">
            {waits ? s.identifying : s.send}
          </button>
          <p class="hint keys">{fill(s.sendHint, { keys: sendKeys })}</p>
          <output class="unseen">{waits && s.identifying}</output>
        </div>
      </form>
    </View>
  );
}

/**
 * Why the form was not sent, with a link to each invalid field. It is not an alert: it takes the focus at every refusal,
 * so screen readers would read an alert twice.
 */
function ErrorSummary({ app: { s, errorText, newTicket, site, view } }: AppProps) {
  const { errors, failure } = newTicket;
  const code = failure.value;
  if (code === null) return null;
  const labels: Partial<Record<string, string>> = { ...s.fields, ...site?.labels };
  const invalid = Object.keys(errors.value).filter((name) => labels[name]);
  return (
    <fieldset class="summary" aria-labelledby="summary" tabIndex={-1} data-focus="summary">
      <p id="summary">{invalid.length > 0 ? s.fixFaults : errorText(code)}</p>
      {code === 'email_unverified' && (
        <Button label={s.verify} look="link" onClick={() => view.go({ name: 'find' })} />
      )}
      {invalid.map((name) => (
        <Button
          key={name}
          label={labels[name]}
          look="link"
          onClick={() => document.getElementById(name)?.focus()}
        />
      ))}
    </fieldset>
  );
}
