import { signal } from '@preact/signals';
import type { Clock } from '../browser/clock.ts';

/** Since when the screen may be out of date. */
export function createStale(clock: Clock) {
  /** ISO 8601 UTC; null while the screen is up to date, or when it never was. */
  const since = signal<string | null>(null);
  let wasCurrent = false;

  return {
    since,
    /** `isCurrent`: whether the screen is up to date now. */
    update(isCurrent: boolean) {
      if (isCurrent) since.value = null;
      else if (wasCurrent) since.value = new Date(clock.now()).toISOString();
      wasCurrent = isCurrent;
    },
  };
}
