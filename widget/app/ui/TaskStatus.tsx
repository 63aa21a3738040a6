import type { AppProps } from '../app.ts';

/** The state of the account request: loading, or why it failed. */
export function TaskStatus({ app: { s, errorText, customer } }: AppProps) {
  const { isBusy, failure } = customer.task;
  const error = failure.value;
  return (
    <output class="error">
      {isBusy.value ? s.loading : error && errorText(error.code, error.retryAfterSec)}
    </output>
  );
}
