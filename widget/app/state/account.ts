import type { Session } from '../../../bff/contract/session.ts';
import type { Api } from '../api/client.ts';
import type { Clock } from './clock.ts';
import { signal } from './signal.ts';
import type { TaskModel } from './task.ts';
import type { View, ViewModel } from './view.ts';

export interface AccountCore {
  api: Api;
  clock: Clock;
  task: TaskModel;
  view: ViewModel;
  newKey: () => string;
  isOnScreen: () => boolean;
  onSession: (session: Session) => void;
  /** The app's own: a second copy of that module would not see who reads it. */
  signal: typeof signal;
}

/** What few customers need: earlier tickets by a code, and the way to another device. */
export interface Account {
  /** The customer is in this view now. */
  hear: (view: View) => void;
  /** The component that draws the views `find` and `handoff`. */
  Place: unknown;
}

/** Fetches the script that makes it; rejects where that fails. `attempt` counts from 1. */
export type LoadAccount = (attempt: number) => Promise<(core: AccountCore) => Account>;

/** The account, whose script comes only when the customer first goes to one of its views. */
export function createAccountLoader(load: LoadAccount, core: Omit<AccountCore, 'signal'>) {
  const { view } = core;
  const loaded = signal<Account | null>(null);
  const hasFailed = signal(false);
  let attempts = 0;

  async function fetch() {
    hasFailed.value = false;
    try {
      const create = await load((attempts += 1));
      loaded.value ??= create({ ...core, signal });
    } catch {
      hasFailed.value = true;
      return;
    }
    loaded.value.hear(view.current.peek());
    view.moves.value += 1;
  }

  return {
    loaded,
    hasFailed,
    fetch,
    hear(current: View) {
      const { name } = current;
      if (loaded.peek()) loaded.peek()!.hear(current);
      else if (name === 'find' || name === 'handoff') void fetch();
    },
  };
}
