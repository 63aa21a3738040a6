/** Runs one thing at a time, in the order of asking. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Answers what `run` does. */
    take<T>(run: () => Promise<T>): Promise<T> {
      const turn = last.then(run);
      last = turn;
      return turn;
    },
    /** When nothing is left to run. */
    async idle() {
      let seen;
      do await (seen = last);
      while (seen !== last);
    },
  };
}
