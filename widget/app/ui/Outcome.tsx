import type { SharedProps } from './shared.ts';

/** What became of what the customer asked for: still under way, or why it did not work. */
export function Outcome({ app: { s, errorText, customer } }: SharedProps) {
  const { isBusy, failure } = customer.task;
  const error = failure.value;
  return (
    <output class="fault">
      {isBusy.value ? s.loading : error && errorText(error.code, error.retryAfterSec)}
    </output>
  );
}
