const everyMs = 3_600_000;

/** Runs `work` at the start and every hour, once at a time, however long it takes. Its signal is aborted at the end. */
export function createHourly(
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
) {
  let ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> | undefined;

  function run(): void {
    underway ??= work(ending.signal)
      .catch(onError)
      .finally(() => {
        underway = undefined;
      });
  }

  return {
    start(): void {
      ending = new AbortController();
      run();
      timer = setInterval(run, everyMs);
    },
    /** Resolves when nothing is under way. */
    async stop(): Promise<void> {
      clearInterval(timer);
      ending.abort();
      await underway;
    },
  };
}
