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
  /** The customer is who the BFF's answer says from now on. */
  take: (session: Session) => void;
}

/** What becomes of tickets and texts from before the sign-in, and from elsewhere. */
export function createOffers({ api, session, outbox, view, task, take }: OffersOptions) {
  return {
    /** Takes over the tickets that others opened under the customer's proven address. */
    claim: () => task.run(api.claim, take),
    /** Adds them, with what was written to them, or gives them up. */
    transfer: (isWanted: boolean) =>
      task.run(
        () => api.transfer(isWanted),
        (taken) => {
          take(taken);
          if (isWanted) outbox.adopt(({ is_declined }) => !is_declined);
          else outbox.decline();
          // The button that had the focus is gone.
          view.go(isWanted ? view.current.peek() : { name: 'start' });
        },
      ),
    /** The visitor has read that tickets of theirs were claimed. */
    dismissMoved: () =>
      task.run(api.dismissMoved, (told) => {
        session.put(told);
        view.go({ name: 'start' });
      }),
  };
}

export type OffersModel = ReturnType<typeof createOffers>;
