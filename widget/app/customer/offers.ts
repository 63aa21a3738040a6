import type { Session } from '../../../bff/contract/session.ts';
import type { Api } from '../api/client.ts';
import type { OutboxModel } from '../outbox/outbox.ts';
import type { ViewModel } from '../view.ts';
import type { SessionModel } from './session.ts';
import type { TaskModel } from './task.ts';

interface OffersOptions {
  api: Pick<Api, 'claim' | 'transfer' | 'dismissMoved'>;
  session: SessionModel;
  outbox: OutboxModel;
  view: ViewModel;
  task: TaskModel;
  /** Takes the session of an answer of the BFF, which names the customer. */
  takeSession: (session: Session) => void;
}

/** What the customer can do with tickets and texts from before the sign-in, and with tickets that others opened. */
export function createOffers({ api, session, outbox, view, task, takeSession }: OffersOptions) {
  return {
    /** Takes over the tickets that others opened under the customer's proven address. */
    claim: () => task.run(api.claim, takeSession),
    /** Adds the tickets from before the sign-in with the texts that were written to them, or declines them. */
    transfer: (isWanted: boolean) =>
      task.run(
        () => api.transfer(isWanted),
        (taken) => {
          takeSession(taken);
          if (isWanted) outbox.adopt(({ is_declined }) => !is_declined);
          else outbox.decline();
          // The button that had the focus is gone.
          view.go(isWanted ? view.current.peek() : { name: 'start' });
        },
      ),
    /** Ends the notice that tickets of this visitor were claimed. */
    dismissMoved: () =>
      task.run(api.dismissMoved, (told) => {
        session.put(told);
        view.go({ name: 'start' });
      }),
  };
}

export type OffersModel = ReturnType<typeof createOffers>;
