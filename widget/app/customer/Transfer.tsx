import { transfer } from './offers.ts';
import { fill } from '../i18n/words.ts';
import { TaskStatus } from '../ui/TaskStatus.tsx';
import type { AppProps } from '../app.ts';

/** Asks whether tickets from before the sign-in are added to the account of the signed-in customer. */
export function Transfer({ app }: AppProps) {
  const { s, count, session, customer, view } = app;
  const transferable = customer.transferable.value;
  const known = session.current.value?.customer;
  if (!transferable || !known) return null;
  // SECURITY: the host page chooses who is signed in, so this takes a person's press, and shows the address.
  const answer = (isWanted: boolean) => (event: Event) => {
    if (event.isTrusted) void transfer(app, isWanted);
  };
  const isOnStart = view.current.value.ref === undefined;
  return (
    <section class="moved">
      <h2>{count(s.transferable, transferable)}</h2>
      <p>{fill(s.transferHint, { account: known.email })}</p>
      {/* The start has a primary button of its own. */}
      <button type="button" class={isOnStart ? 'button quiet' : 'button'} onClick={answer(true)}>
        {s.transfer}
      </button>
      <button type="button" class="button quiet" onClick={answer(false)}>
        {s.no}
      </button>
      {/* The start says it below. */}
      {!isOnStart && <TaskStatus app={app} />}
    </section>
  );
}
