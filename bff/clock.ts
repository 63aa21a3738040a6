/** The two clocks of a process, which each part is given by name. */
export interface Clock {
  /** Unix milliseconds, whole. Anybody may set it: for what is stored, shown or told to others. */
  now: () => number;
  /** Milliseconds since some moment of this process. Nobody can set it: for ages, pauses and proofs. */
  elapsed: () => number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now()),
  elapsed: () => performance.now(),
};
