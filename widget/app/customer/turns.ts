/** A queue of asynchronous functions, run one at a time. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs `run` after all before it; returns its result. */
    take<T>(run: () => Promise<T>): Promise<T> {
      const turn = last.then(run);
      last = turn;
      return turn;
    },
    /** Resolves when the queue is empty. */
    async idle() {
      let seen;
      do await (seen = last);
      while (seen !== last);
    },
  };
}
