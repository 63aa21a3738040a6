import { createLedger, type LedgerDeps } from '../delivery/ledger/ledger.ts';
import { createOperationChanges } from '../delivery/ledger/operation-changes.ts';
import { createGrants } from '../tickets/grants.ts';
import { createTicketRecords } from '../tickets/ticket-records.ts';

/** A ledger with the real grants and ticket records on the same store. */
export function createTestLedger(deps: Omit<LedgerDeps, 'grants' | 'ticketRecords'>) {
  const { store, seal, now } = deps;
  const grants = createGrants({ store, operations: createOperationChanges({ now }), now });
  return createLedger({ ...deps, grants, ticketRecords: createTicketRecords({ store, seal, now }) });
}
