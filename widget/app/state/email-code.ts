import type { Session } from '../../../bff/contract/session.ts';
import type { Api } from '../api/client.ts';
import { signal } from './signal.ts';
import type { TaskModel } from './task.ts';
import type { ViewModel } from './view.ts';

interface EmailCodeOptions {
  api: Api;
  task: TaskModel;
  view: ViewModel;
  onSession: (session: Session) => void;
}

/** The customer proves an address by a code that is sent to it. */
export function createEmailCode({ api, task, view, onSession }: EmailCodeOptions) {
  /** Where the code went; null before one was asked for. */
  const sentTo = signal<string | null>(null);
  return {
    sentTo,
    request: (email: string) =>
      task.run(
        () => api.requestCode(email),
        () => {
          if (view.current.peek().name !== 'find') return;
          sentTo.value = email;
          view.moves.value += 1;
        },
      ),
    verify: (code: string) => task.run(() => api.verifyCode(code), onSession),
    forget() {
      sentTo.value = null;
    },
  };
}
