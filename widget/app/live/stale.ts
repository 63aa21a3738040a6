import type { ReadonlySignal } from '@preact/signals';
import { signal } from '@preact/signals';
import type { Clock } from '../browser/clock.ts';

/** Since when the screen may be out of date. */
export function createStale(clock: Clock, isCurrent: ReadonlySignal<boolean>) {
  /** ISO 8601 UTC; null while the screen is up to date, or when it never was. */
  const since = signal<string | null>(null);
  let wasCurrent = false;

  return {
    since,
    /** An effect: runs at every change of `isCurrent`. */
    follow() {
      if (isCurrent.value) since.value = null;
      else if (wasCurrent) since.value = new Date(clock.now()).toISOString();
      wasCurrent = isCurrent.value;
    },
  };
}
