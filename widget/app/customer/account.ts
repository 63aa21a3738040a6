import type { Session } from '../../../bff/contract/session.ts';
import type { Calls } from '../api/client.ts';
import type { Result } from '../api/result.ts';
import type { Clock } from '../browser/clock.ts';
import { createDeferred } from '../browser/deferred.ts';
import type { SessionModel } from './session.ts';
import type { TaskModel } from './task.ts';
import type { View, ViewModel } from '../view.ts';

export interface AccountCore {
  api: Calls;
  clock: Clock;
  task: TaskModel;
  view: ViewModel;
  session: SessionModel;
  newKey: () => string;
  isOnScreen: () => boolean;
  onSession: (session: Session) => void;
  /** Ends the session by this request, and forgets the customer, in every tab. `said`: what is then told to them. */
  leaveBy: (request: () => Promise<Result<unknown>>, said: string) => Promise<void>;
}

/**
 * The views of the account, which few customers need: earlier tickets by a code, and the transfer to another device.
 */
export interface Account {
  /** The customer is in this view now. */
  onViewChange: (view: View) => void;
  /** The component that draws the views `find`, `handoff` and `data`; it takes `PlaceProps`. */
  Place: unknown;
}

const isOfAccount = ({ name }: View) => name === 'find' || name === 'handoff' || name === 'data';

export type LoadAccount = () => Promise<(core: AccountCore) => Account>;

/** The account. Its script is loaded when the customer first opens one of its views. */
export function createDeferredAccount(load: LoadAccount, core: AccountCore) {
  const { current, moves } = core.view;
  const account = createDeferred<Account>(
    async () => (await load())(core),
    (loaded) => {
      loaded.onViewChange(current.peek());
      // A customer who has gone to another view meanwhile keeps the focus there.
      if (isOfAccount(current.peek())) moves.value += 1;
    },
  );
  return {
    ...account,
    onViewChange(view: View) {
      if (account.loaded.peek()) account.loaded.peek()!.onViewChange(view);
      else if (isOfAccount(view)) void account.fetch();
    },
  };
}
