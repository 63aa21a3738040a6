import type { OperationRow } from '../store/schema.ts';
import { canRetry, type Operations } from '../tickets/operations.ts';
import type { Queue } from './due.ts';

const isFinal = ({ state }: OperationRow) => state === 'done' || state === 'rejected';

/** An attempt has failed without effect, so the next one comes after a pause. */
const hasFailed = ({ state, attempts }: OperationRow) => state === 'accepted' && attempts > 0;

/** Two processes on one SQLite file cannot tell each other about changes, so waits also look at the store. */
const lookEveryMs = 1_000;

/** Whether a wait is over: the state is final, or it stays as it is until the next attempt or a decision. */
const isKnown = (row: OperationRow) => isFinal(row) || hasFailed(row) || canRetry(row);

/**
 * HTTP requests that wait until the outcome of an operation is known, or until it is known to be tried again later. They
 * are told about changes.
 */
export function createWaiting({
  operations,
  queue,
}: {
  operations: Pick<Operations, 'byId'>;
  queue: Pick<Queue, 'isBehindFailed'>;
}) {
  const waiters = new Map<(row?: OperationRow) => void, OperationRow>();

  /** Ends the waits for the chosen operations with their current state. */
  function release(isReleased: (row: OperationRow) => boolean): void {
    for (const [end, row] of waiters) if (isReleased(row)) end();
  }

  function onChange(row: OperationRow): void {
    if (!isKnown(row)) return;
    for (const [end, { id }] of waiters) if (id === row.id) end(row);
    // A failed send also holds up the later ones of its ticket.
    if (hasFailed(row) && row.ticket_id) release(({ ticket_id }) => ticket_id === row.ticket_id);
  }

  /** Ends the waits for this operation if the store shows that they are over. */
  async function look({ id }: OperationRow): Promise<void> {
    if (![...waiters.values()].some((row) => row.id === id)) return;
    const row = await operations.byId(id);
    if (!row) return;
    onChange(row);
    if (row.state === 'accepted' && (await queue.isBehindFailed(row))) release((each) => each.id === id);
  }

  return {
    release,

    /** Ends the waits that this change is about. */
    onChange,
    look,

    /**
     * Resolves with the operation once its outcome or its failure is known, or with its state after `maxMs`.
     */
    async outcome(row: OperationRow, maxMs: number): Promise<OperationRow> {
      if (isFinal(row)) return row;
      const known = await new Promise<OperationRow | undefined>((resolve) => {
        function end(latest?: OperationRow): void {
          clearTimeout(deadline);
          clearInterval(looking);
          waiters.delete(end);
          resolve(latest);
        }
        const deadline = setTimeout(end, maxMs);
        const looking = setInterval(() => void look(row).catch(() => {}), lookEveryMs);
        waiters.set(end, row);
      });
      return known ?? (await operations.byId(row.id).catch(() => undefined)) ?? row;
    },
  };
}
