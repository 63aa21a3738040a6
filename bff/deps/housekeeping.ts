import type { Ledger } from '../delivery/ledger.ts';
import { removeExpiredMarks } from '../store/used-once.ts';
import type { IdentityModules } from './identity.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Removes from the store what is no longer needed. */
export function createHousekeeping({
  outside: { store, now },
  identity: { sessions, subjects, codes, handoffs },
  ticketModules: { transfers },
  ledger,
  keepScripts,
  onError,
}: {
  outside: Pick<Outside, 'store' | 'now'>;
  identity: Pick<IdentityModules, 'sessions' | 'subjects' | 'codes' | 'handoffs'>;
  ticketModules: Pick<TicketModules, 'transfers'>;
  ledger: Pick<Ledger, 'eraseDelivered'>;
  keepScripts: () => Promise<void>;
  onError: OnError;
}) {
  const chores = [
    keepScripts,
    ledger.eraseDelivered,
    sessions.removeEnded,
    codes.removeExpired,
    handoffs.removeExpired,
    transfers.removeExpiredOffers,
    () => removeExpiredMarks(store, now()),
    subjects.removeAllUnused,
  ];
  return async function housekeep(): Promise<void> {
    // One that fails keeps none of the others from their work.
    for (const chore of chores) await chore().catch(onError);
  };
}
