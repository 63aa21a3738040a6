import { setImmediate } from 'node:timers/promises';

/** So many streams are written to before other work of the process goes on. */
const sliceSize = 250;

/** The parts of a list, one after the other; requests that have come meanwhile go first. */
export async function* slicesOf<T>(list: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < list.length; at += sliceSize) {
    if (at > 0) await setImmediate();
    yield list.slice(at, at + sliceSize);
  }
}
