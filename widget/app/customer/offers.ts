import type { Models } from '../models.ts';
import { refOf } from '../ticket-list/names.ts';

/*
 * What the customer can do with tickets and texts from before the sign-in, and with tickets that others opened under their
 * address.
 */

/** Takes over the tickets that others opened under the customer's proven address. A single one is shown at once. */
export async function claim({ api, view, list, refresh, customer }: Models) {
  const before = new Set(list.peek().map(refOf));
  let isDone = false;
  await customer.task.run(api.claim, (taken) => {
    customer.takeSession(taken);
    isDone = true;
  });
  if (!isDone || !(await refresh()) || view.current.peek().name !== 'start') return;
  const [ticket, other] = list.peek().filter((each) => !before.has(refOf(each)));
  // The button that had the focus is gone.
  view.go(ticket && !other ? { name: 'thread', ref: refOf(ticket) } : { name: 'start' });
}

/** Adds the tickets from before the sign-in with the texts that were written to them, or declines them. */
export const transfer = ({ api, outbox, view, customer }: Models, isWanted: boolean) =>
  customer.task.run(
    () => api.transfer(isWanted),
    (taken) => {
      customer.takeSession(taken);
      if (isWanted) outbox.adopt(({ is_declined }) => !is_declined);
      else outbox.decline();
      // The button that had the focus is gone.
      view.go(isWanted ? view.current.peek() : { name: 'start' });
    },
  );

/** Ends the notice that tickets of this visitor were claimed. */
export const dismissMoved = ({ api, session, view, customer }: Models) =>
  customer.task.run(api.dismissMoved, (told) => {
    session.put(told);
    view.go({ name: 'start' });
  });
