/** A pseudo-random number generator with a seed (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    /** A whole number, both ends included. */
    between,
    chance: (probability: number) => next() < probability,
    pick: <T>(from: readonly T[]): T => from[between(0, from.length - 1)]!,
  };
}

export type Random = ReturnType<typeof createRandom>;
