import type { AccountCore } from '../state/account.ts';
import { signal } from '../state/signal.ts';

/** The customer proves an address by a code that is sent to it, in a message of this language. */
export function createEmailCode({ api, task, view, onSession }: AccountCore, language: string) {
  /** Where the code went; null before one was asked for. */
  const sentTo = signal<string | null>(null);
  return {
    sentTo,
    request: (email: string) =>
      task.run(
        () => api.requestCode({ email, language }),
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

export type EmailCodeModel = ReturnType<typeof createEmailCode>;
