import type { OperationRow } from '../../store/schema.ts';
import type { Operations } from '../../tickets/operations.ts';

/** How often the store is read, because another process on the same store may be the one that sends. */
const askEveryMs = 250;

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** HTTP requests that wait for the outcome of an operation. */
export function createWaiting(operations: Pick<Operations, 'byId'>) {
  const waiters = new Map<(row?: OperationRow) => void, string>();

  return {
    /** Ends the waits for this operation if its state is final. */
    onChange(row: OperationRow): void {
      if (!isFinal(row)) return;
      for (const [end, id] of waiters) if (id === row.id) end(row);
    },

    /** Ends the waits for the chosen operations with their current state. */
    release(isReleased: (id: string) => boolean): void {
      for (const [end, id] of waiters) if (isReleased(id)) end();
    },

    /**
     * Resolves with the operation once it is final, or with its state after `maxMs`. `mayHaveEnded`: it may have
     * become final since `row` was read.
     */
    async for(row: OperationRow, maxMs: number, mayHaveEnded: boolean): Promise<OperationRow> {
      const current = async () => (await operations.byId(row.id).catch(() => undefined)) ?? row;
      if (isFinal(row)) return row;
      let end = (_row?: OperationRow) => {};
      const ended = new Promise<OperationRow | undefined>((resolve) => (end = resolve));
      waiters.set(end, row.id);
      const deadline = setTimeout(end, maxMs);
      const ask = async () => {
        const now = await current();
        if (isFinal(now)) end(now);
      };
      if (mayHaveEnded) void ask();
      const asking = setInterval(() => void ask(), askEveryMs);
      try {
        return (await ended) ?? (await current());
      } finally {
        clearTimeout(deadline);
        clearInterval(asking);
        waiters.delete(end);
      }
    },
  };
}
