import type { AccountOptions } from './api.ts';
import { signal } from '@preact/signals';

/** Proves an address by a code in an e-mail of this language. */
export function createEmailCode({ api, task, view, onSession }: AccountOptions, language: string) {
  /** The address that the code was sent to; null before one was requested. */
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
    verify(code: string) {
      const { next } = view.current.peek();
      return task.run(
        () => api.verifyCode(code),
        (session) => {
          onSession(session);
          if (next !== undefined) view.go({ name: 'thread', ref: next });
        },
      );
    },
    forget() {
      sentTo.value = null;
    },
  };
}

export type EmailCodeModel = ReturnType<typeof createEmailCode>;
