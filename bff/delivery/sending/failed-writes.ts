import type { OperationRow } from '../../store/schema.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Queue } from '../ledger/queue.ts';

/** A database server may still commit a write after its connection broke. Longer than it works on one statement. */
const mayCommitMs = 10_000;
const lookAgainMs = 1_000;
/** A look that asks for more would be slow. The other operations are settled after their lease. */
const mostLookedFor = 1_000;

/**
 * Writes whose answer was lost, so that they failed here though the store may have made them. What such a write leased
 * was not sent, and nobody would send it before the end of the lease.
 */
export function createFailedWrites({
  ledger,
  queue,
  elapsed,
  onChange,
}: {
  ledger: Pick<Ledger, 'move'>;
  queue: Pick<Queue, 'leasedFirst'>;
  elapsed: () => number;
  onChange: (row: OperationRow) => void;
}) {
  /** By the ids of their operations, when they failed by the monotonic clock. */
  const failedAt = new Map<string, number>();

  return {
    add(id: string): void {
      if (failedAt.size < mostLookedFor) failedAt.set(id, elapsed());
    },

    /**
     * Ends the leases of those operations that were written, so that they are sent later. Resolves with the time until
     * it must be called again, in milliseconds. Rejects if the store fails.
     */
    async withdraw(): Promise<number> {
      if (failedAt.size === 0) return Infinity;
      const since = elapsed();
      for (const row of await queue.leasedFirst([...failedAt.keys()])) {
        const next = await ledger.move(row, { type: 'failed', failure: { kind: 'not_connected' } });
        if (next) onChange(next);
        failedAt.delete(row.id);
      }
      for (const [id, at] of failedAt) if (since - at >= mayCommitMs) failedAt.delete(id);
      return failedAt.size > 0 ? lookAgainMs : Infinity;
    },
  };
}
