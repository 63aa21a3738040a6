const everyMs = 3_600_000;

/** Runs `work` at the start and every hour, one run at a time. Its signal is aborted by `stop`. */
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
    /** Resolves when no run is in progress. */
    async stop(): Promise<void> {
      clearInterval(timer);
      ending.abort();
      await underway;
    },
  };
}
