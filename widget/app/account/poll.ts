import type { Result } from '../api/result.ts';
import type { Clock } from '../browser/clock.ts';

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
export function poll<T>({ clock, isOnScreen, ask, onValue, onRefused }: PollOptions<T>): () => void {
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
