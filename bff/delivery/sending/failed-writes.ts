import type { OperationRow } from '../../store/schema.ts';
import type { Operations } from '../../tickets/operations.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * Writes that failed though the store may have made them: a server can lose its answer. What such a write leased was
 * not sent, and nobody would send it before the end of the lease.
 */
export function createFailedWrites({
  ledger,
  operations,
  onChange,
}: {
  ledger: Pick<Ledger, 'move'>;
  operations: Pick<Operations, 'byId'>;
  onChange: (row: OperationRow) => void;
}) {
  const ids = new Set<string>();

  return {
    add: (id: string): void => void ids.add(id),

    /** Ends the leases of those operations that were written, so that they are sent later. Rejects if the store fails. */
    async withdraw(): Promise<void> {
      for (const id of ids) {
        const row = await operations.byId(id);
        // Whoever settles it after the lease raises the fence.
        const isLeased = row?.state === 'sending' && row.fence === 0;
        const next =
          isLeased && (await ledger.move(row, { type: 'failed', failure: { kind: 'not_connected' } }));
        if (next) onChange(next);
        ids.delete(id);
      }
    },
  };
}
