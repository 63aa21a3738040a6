/** A queue of asynchronous functions, run one at a time. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Runs a function after all before it. Returns its result. */
    run<T>(job: () => Promise<T>): Promise<T> {
      const result = last.then(job);
      last = result;
      return result;
    },
    /** Resolves when the queue is empty. */
    async idle() {
      let seen;
      do await (seen = last);
      while (seen !== last);
    },
  };
}
