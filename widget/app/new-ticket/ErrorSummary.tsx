import type { SharedProps } from '../shared.ts';

/**
 * Why the form was not sent, with a link to each invalid field. It is not an alert: it takes the focus at every refusal,
 * so screen readers would read an alert twice.
 */
export function ErrorSummary({ app: { s, errorText, newTicket, site, view } }: SharedProps) {
  const { errors, failure } = newTicket;
  const code = failure.value;
  if (code === null) return null;
  const labels: Partial<Record<string, string>> = { ...s.fields, ...site?.labels };
  const invalid = Object.keys(errors.value).filter((name) => labels[name]);
  return (
    <fieldset class="summary" aria-labelledby="summary" tabIndex={-1} data-focus="summary">
      <p id="summary">{invalid.length > 0 ? s.fixFaults : errorText(code)}</p>
      {code === 'email_unverified' && (
        <button type="button" class="link" onClick={() => view.go({ name: 'find' })}>
          {s.verify}
        </button>
      )}
      {invalid.map((name) => (
        <button key={name} type="button" class="link" onClick={() => document.getElementById(name)?.focus()}>
          {labels[name]}
        </button>
      ))}
    </fieldset>
  );
}
