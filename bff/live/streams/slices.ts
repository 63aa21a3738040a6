import { setImmediate } from 'node:timers/promises';

/** How many streams are written to before other work of the process continues. */
const sliceSize = 250;

/** Splits a list into slices. Waiting requests go first in between. */
export async function* slicesOf<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += sliceSize) {
    if (at > 0) await setImmediate();
    yield list.slice(at, at + sliceSize);
  }
}
