/* Counts how often links are opened, and writes the counts now and then, since a write for each would cost more than it. */

const everyMs = 60_000;
const maxWaiting = 1_000;

export function createViews({
  addViews,
  onError,
}: {
  addViews: (id: string, count: number) => Promise<void>;
  onError: (error: unknown) => void;
}) {
  let waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    const counted = waiting;
    waiting = new Map();
    for (const [id, count] of counted) await addViews(id, count);
  }

  return {
    add(id: string): void {
      if (waiting.has(id) || waiting.size < maxWaiting) waiting.set(id, (waiting.get(id) ?? 0) + 1);
    },
    flush,
    start: () => void (timer = setInterval(() => void flush().catch(onError), everyMs).unref()),
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush().catch(onError);
    },
  };
}
