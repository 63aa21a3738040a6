import type { Clock } from './clock.ts';
import type { ReadonlySignal } from '@preact/signals';
import { signal } from '@preact/signals';

/** The time in milliseconds since the epoch, updated every minute for texts such as "5 minutes ago". */
export function createNow(clock: Clock): ReadonlySignal<number> {
  const now = signal(0);
  function tick() {
    now.value = clock.now();
    clock.after(60_000, tick);
  }
  tick();
  return now;
}
