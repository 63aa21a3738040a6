import type { OperationRow } from '../../store/schema.ts';
import type { Operations } from '../../tickets/operations.ts';

/** How often the store is read, because another process on the same store may be the one that sends. */
const askEveryMs = 250;

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** An attempt has failed without effect, so the next one comes after a pause. */
const hasFailed = ({ state, attempts }: OperationRow) => state === 'accepted' && attempts > 0;

/** Whether a wait is over: the state is final, or it stays as it is until the next attempt. */
const isKnown = (row: OperationRow) => isFinal(row) || hasFailed(row);

/** HTTP requests that wait until the outcome of an operation is known, or that it failed and will be tried again. */
export function createWaiting(operations: Pick<Operations, 'byId'>) {
  const waiters = new Map<(row?: OperationRow) => void, OperationRow>();

  /** Ends the waits for the chosen operations with their current state. */
  function release(isReleased: (row: OperationRow) => boolean): void {
    for (const [end, row] of waiters) if (isReleased(row)) end();
  }

  return {
    release,

    /** Ends the waits that this change is about. A failed send also holds up the later ones of its ticket. */
    onChange(row: OperationRow): void {
      if (!isKnown(row)) return;
      for (const [end, { id }] of waiters) if (id === row.id) end(row);
      if (hasFailed(row) && row.ticket_id) release(({ ticket_id }) => ticket_id === row.ticket_id);
    },

    /**
     * Resolves with the operation once its outcome or its failure is known, or with its state after `maxMs`.
     * `mayHaveEnded`: it may have changed since `row` was read.
     */
    async for(row: OperationRow, maxMs: number, mayHaveEnded: boolean): Promise<OperationRow> {
      const current = async () => (await operations.byId(row.id).catch(() => undefined)) ?? row;
      // One that has failed before may be tried again right now.
      if (isFinal(row)) return row;
      let end = (_row?: OperationRow) => {};
      const ended = new Promise<OperationRow | undefined>((resolve) => (end = resolve));
      waiters.set(end, row);
      const deadline = setTimeout(end, maxMs);
      const ask = async () => {
        const now = await current();
        if (isKnown(now)) end(now);
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
