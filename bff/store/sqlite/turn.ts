/** Lets callers continue one at a time, in their order of arrival. */
export function createTurn() {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  return {
    async take(): Promise<void> {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      isTaken = true;
    },
    release(): void {
      const next = waiting.shift();
      if (next) next();
      else isTaken = false;
    },
  };
}
