import type { ReadonlySignal } from '@preact/signals';
import type { Session } from '../../../bff/contract/session.ts';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { OutboxModel } from '../outbox/outbox.ts';
import { refOf } from '../ticket-list/names.ts';
import type { ViewModel } from '../view.ts';
import type { SessionModel } from './session.ts';
import type { TaskModel } from './task.ts';

interface OffersOptions {
  api: Pick<Api, 'claim' | 'transfer' | 'dismissMoved'>;
  session: SessionModel;
  outbox: OutboxModel;
  view: ViewModel;
  task: TaskModel;
  /** The tickets on screen. */
  list: ReadonlySignal<TicketSummary[]>;
  /** Reads the list and the conversation on screen. False when the list could not be read. */
  refresh: () => Promise<boolean>;
  /** Takes the session of an answer of the BFF, which names the customer. */
  takeSession: (session: Session) => void;
}

/** What the customer can do with tickets and texts from before the sign-in, and with tickets that others opened. */
export function createOffers({
  api,
  session,
  outbox,
  view,
  task,
  list,
  refresh,
  takeSession,
}: OffersOptions) {
  return {
    /** Takes over the tickets that others opened under the customer's proven address. A single one is shown at once. */
    async claim() {
      const before = new Set(list.peek().map(refOf));
      let isDone = false;
      await task.run(api.claim, (taken) => {
        takeSession(taken);
        isDone = true;
      });
      if (!isDone || !(await refresh()) || view.current.peek().name !== 'start') return;
      const [ticket, other] = list.peek().filter((each) => !before.has(refOf(each)));
      // The button that had the focus is gone.
      view.go(ticket && !other ? { name: 'thread', ref: refOf(ticket) } : { name: 'start' });
    },
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
