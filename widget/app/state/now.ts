import type { Clock } from './clock.ts';
import type { ReadonlySignal } from './signal.ts';
import { signal } from './signal.ts';

/** The time, moved on every minute: what is said from it ("5 minutes ago") stays true. Milliseconds since the epoch. */
export function createNow(clock: Clock): ReadonlySignal<number> {
  const now = signal(0);
  function tick() {
    now.value = clock.now();
    clock.after(60_000, tick);
  }
  tick();
  return now;
}
