/** What a read of somebody else needs of the queue that it waits in. */
interface Queue {
  ask: (name: string, everyMs: number) => void;
  /** Whether the service is to be asked at all. */
  isAllowed: () => boolean;
  report: (isGood: boolean) => void;
}

interface OtherRead {
  read: () => Promise<boolean>;
  answer: (isGood: boolean) => void;
}

/** Reads of the service for which no page waits, in the queue of those that are for open pages. */
export function createOtherReads({ ask, isAllowed, report }: Queue) {
  const waiting = new Map<string, OtherRead>();

  return {
    /**
     * Reads when its turn comes, as one that wants a turn every `everyMs`.
     * @param name unlike any id of a ticket; one that waits already is not asked for again
     * @param read whether it was good; must not reject
     * @returns the same; false where it was not tried
     */
    inTurn(name: string, everyMs: number, read: () => Promise<boolean>): Promise<boolean> {
      if (waiting.has(name)) return Promise.resolve(false);
      return new Promise((answer) => {
        waiting.set(name, { read, answer });
        ask(name, everyMs);
      });
    },

    has: (name: string): boolean => waiting.has(name),

    /** Its turn has come. */
    async take(name: string): Promise<void> {
      const { read, answer } = waiting.get(name)!;
      waiting.delete(name);
      if (!isAllowed()) return answer(false);
      const isGood = await read();
      report(isGood);
      answer(isGood);
    },

    /** None is tried any more. */
    stop(): void {
      for (const { answer } of waiting.values()) answer(false);
      waiting.clear();
    },
  };
}
