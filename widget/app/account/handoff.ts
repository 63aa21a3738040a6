import type { Handoff } from '../../../bff/contract/session.ts';
import type { Result } from '../api/result.ts';
import type { AccountCore } from '../state/account.ts';
import { signal } from '../state/signal.ts';

const askEveryMs = 2_000;

/**
 * Where a hand-off stands. On the device that has the tickets: `offered`, `asked`, `given`. On the one that opened
 * the link: `found`, `waiting`. On both: `over`, when the link works no more.
 */
export interface HandoffStep extends Partial<Pick<Handoff, 'url' | 'qr'>> {
  name: 'offered' | 'asked' | 'given' | 'found' | 'waiting' | 'over';
  /** Two digits that both devices show. */
  number?: string | null;
  isCopied?: boolean;
}

/** Takes this customer's tickets to another device, or from one. */
export function createHandoff({ api, clock, task, newKey, isOnScreen, onSession }: AccountCore) {
  const step = signal<HandoffStep | null>(null);
  let secret = '';
  let stop = () => {};
  /** False once the view was left: what was asked for in it is not wanted any more. */
  let isWanted = false;

  function end(name: 'given' | 'over') {
    stop();
    task.failure.value = null;
    step.value = { name };
  }

  /** Asks the BFF again and again, while the customer looks, until `stop`. */
  function follow<T>(ask: () => Promise<Result<T>>, hear: (value: T) => void) {
    stop();
    let isOver = false;
    let cancel = () => {};
    async function turn() {
      if (isOnScreen()) {
        const result = await ask();
        if (isOver) return;
        if (result.ok) hear(result.value);
        else if (!result.error.retryable) end('over');
      }
      if (!isOver) cancel = clock.after(askEveryMs, () => void turn());
    }
    stop = () => {
      isOver = true;
      cancel();
    };
    void turn();
  }

  return {
    step,
    offer() {
      isWanted = true;
      return task.run(api.offer, (offer) => {
        if (!isWanted) return void api.withdraw();
        step.value = { name: 'offered', ...offer };
        follow(api.offered, ({ state, number }) => {
          step.value = { ...step.peek(), name: state, number };
        });
      });
    },
    /** The link is where the customer can paste it. */
    markCopied() {
      step.value = { ...step.peek()!, isCopied: true };
    },
    confirm: () =>
      task.run(
        () => api.confirm(step.peek()!.number!),
        () => step.peek() && end('given'),
      ),
    /** This page was opened by the link that another device showed. */
    find(given: string) {
      secret = given;
      step.value = { name: 'found' };
    },
    redeem() {
      const device = newKey();
      step.value = { name: 'waiting' };
      follow(
        () => api.redeem({ secret, device }),
        (progress) => {
          if (progress.state === 'done') onSession(progress.session);
          else step.value = { name: 'waiting', number: progress.number };
        },
      );
    },
    /** An offer that nobody has taken does not outlive the view. */
    leave() {
      isWanted = false;
      stop();
      const name = step.peek()?.name;
      if (name === 'offered' || name === 'asked') void api.withdraw();
      step.value = null;
    },
  };
}

export type HandoffModel = ReturnType<typeof createHandoff>;
