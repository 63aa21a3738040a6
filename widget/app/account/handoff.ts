import type { Handoff } from '../../../shared/contract/session.ts';
import type { Result } from '../api/result.ts';
import type { AccountOptions } from './api.ts';
import { action, signal } from '@preact/signals';
import type { Clock } from '../browser/clock.ts';

/**
 * The state of a handoff. On the device that has the tickets: `offered`, `asked`, `given`. On the device that opened the
 * link: `found`, `waiting`. On both: `over`, when the link has expired.
 */
interface HandoffStep extends Partial<Pick<Handoff, 'url' | 'qr'>> {
  name: 'offered' | 'asked' | 'given' | 'found' | 'waiting' | 'over';
  /** Two digits, shown on both devices for comparison. */
  number?: string | null;
  isCopied?: boolean;
}

/** Hands this customer's tickets to another device, or receives them from one. */
export function createHandoff(options: AccountOptions) {
  const { api, clock, view, session, newKey, isOnScreen } = options;
  const { task, enter } = options.customer;
  const step = signal<HandoffStep | null>(null);
  let secret = '';
  let stop = () => {};
  /** False once the view was left: an offer that arrives then is withdrawn. */
  let isWanted = false;

  const end = action((name: 'given' | 'over') => {
    stop();
    task.failure.value = null;
    const { customer, email_code } = session.current.peek() ?? {};
    const isReceiver = view.current.peek().secret !== undefined;
    if (name === 'over' && isReceiver && email_code && !customer?.verified)
      view.go({ name: 'find', isOver: true });
    else step.value = { name };
  });

  function follow<T>(ask: () => Promise<Result<T>>, onValue: (value: T) => void) {
    stop();
    stop = poll({ clock, isOnScreen, ask, onValue, onRefused: () => end('over') });
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
    /** The link is in the clipboard. */
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
          if (progress.state === 'done') enter(progress.session);
          else step.value = { name: 'waiting', number: progress.number };
        },
      );
    },
    /** Leaving the view withdraws an open offer. */
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

const askEveryMs = 2_000;

interface PollOptions<T> {
  clock: Clock;
  isOnScreen: () => boolean;
  ask: () => Promise<Result<T>>;
  onValue: (value: T) => void;
  /** The BFF has refused: asking again cannot help. */
  onRefused: () => void;
}

/** Asks the BFF again and again while the panel is on screen. Returns the function that stops it. */
function poll<T>({ clock, isOnScreen, ask, onValue, onRefused }: PollOptions<T>): () => void {
  let isOver = false;
  let cancel = () => {};
  async function turn() {
    if (isOnScreen()) {
      const result = await ask();
      if (isOver) return;
      if (result.ok) onValue(result.value);
      else if (!result.error.retryable) onRefused();
    }
    if (!isOver) cancel = clock.after(askEveryMs, () => void turn());
  }
  void turn();
  return () => {
    isOver = true;
    cancel();
  };
}
