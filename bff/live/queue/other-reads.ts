/** The parts of the queue that these reads need. */
interface Queue {
  ask: (name: string, everyMs: number) => void;
  /** Whether the service may be called at all. */
  isAllowed: () => boolean;
  report: (isGood: boolean) => void;
}

interface OtherRead {
  read: () => Promise<boolean>;
  answer: (isGood: boolean) => void;
}

/** Reads of the service that no open page needs. They wait in the queue of the reads for open pages. */
export function createOtherReads({ ask, isAllowed, report }: Queue) {
  const waiting = new Map<string, OtherRead>();

  return {
    /**
     * Queues a read that wants a turn every `everyMs`, and makes it at its turn.
     * @param name must differ from every ticket id; a waiting name is not queued again
     * @param read resolves with whether it succeeded; must not reject
     * @returns whether it succeeded; false when it was not made
     */
    inTurn(name: string, everyMs: number, read: () => Promise<boolean>): Promise<boolean> {
      if (waiting.has(name)) return Promise.resolve(false);
      return new Promise((answer) => {
        waiting.set(name, { read, answer });
        ask(name, everyMs);
      });
    },

    has: (name: string): boolean => waiting.has(name),

    /** To be called at the turn of this name. */
    async readNow(name: string): Promise<void> {
      const { read, answer } = waiting.get(name)!;
      waiting.delete(name);
      if (!isAllowed()) return answer(false);
      const isGood = await read();
      report(isGood);
      answer(isGood);
    },

    /** Resolves all waiting reads as not made, and makes no further ones. */
    stop(): void {
      for (const { answer } of waiting.values()) answer(false);
      waiting.clear();
    },
  };
}
