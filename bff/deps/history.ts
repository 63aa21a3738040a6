import { createHistory } from '../history/history.ts';
import { createExternalTickets } from '../history/external-tickets.ts';
import type { Live } from '../live/live.ts';
import type { IdentityModules } from './identity.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Creates the module that finds tickets which customers opened elsewhere. */
export function createHistoryModule({
  outside: { config, store, v1, now, elapsed },
  identity: { subjects },
  ticketModules: { grants, ticketRecords },
  live,
  onError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'v1' | 'now' | 'elapsed'>;
  identity: Pick<IdentityModules, 'subjects'>;
  ticketModules: Pick<TicketModules, 'grants' | 'ticketRecords'>;
  live: Pick<Live, 'inTurn' | 'restart'>;
  onError: OnError;
}) {
  const externalTickets = createExternalTickets({ store, grants, ticketRecords, now });
  const history = createHistory({
    externalTickets,
    subjects,
    v1,
    inTurn: live.inTurn,
    onChanged: live.restart,
    elapsed,
    onError,
  });
  return {
    // SECURITY: without our line in tickets, a ticket that a stranger opened here under that address could not be
    // recognised.
    search: config.hasFooter ? history.search : () => {},
    customerChanged: history.customerChanged,
    stop: history.stop,
    settled: history.settled,
    prune: externalTickets.prune,
  };
}
