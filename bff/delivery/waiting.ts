import type { OperationRow } from '../store/schema.ts';
import type { Operations } from '../tickets/operations.ts';

/** How often the store is asked: another process on it may be the one that sends. */
const askEveryMs = 250;

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** Requests that wait for what comes of an operation. */
export function createWaiting(operations: Pick<Operations, 'byId'>) {
  const waiters = new Map<(row?: OperationRow) => void, string>();

  return {
    /** An operation as it stands now. */
    hear(row: OperationRow): void {
      if (!isFinal(row)) return;
      for (const [end, id] of waiters) if (id === row.id) end(row);
    },

    /** Ends the waiting for those operations, as they stand. */
    letGo(isLetGo: (id: string) => boolean): void {
      for (const [end, id] of waiters) if (isLetGo(id)) end();
    },

    /** The operation once it is final, or as it stands after `maxMs`. */
    async for(row: OperationRow, maxMs: number): Promise<OperationRow> {
      const standing = async () => (await operations.byId(row.id).catch(() => undefined)) ?? row;
      if (isFinal(row)) return row;
      let end = (_row?: OperationRow) => {};
      const ended = new Promise<OperationRow | undefined>((resolve) => (end = resolve));
      waiters.set(end, row.id);
      const deadline = setTimeout(end, maxMs);
      const ask = async () => {
        const now = await standing();
        if (isFinal(now)) end(now);
      };
      const asking = setInterval(() => void ask(), askEveryMs);
      try {
        return (await ended) ?? (await standing());
      } finally {
        clearTimeout(deadline);
        clearInterval(asking);
        waiters.delete(end);
      }
    },
  };
}
