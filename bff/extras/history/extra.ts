import type { Extra } from '../../core/extra.ts';
import type { Core } from '../../core/wiring.ts';
import { createExternalTickets } from './external-tickets.ts';
import { createHistory } from './history.ts';

/** Shows customers the tickets that they opened elsewhere, such as by mail. */
export const history: Extra = { name: 'history', create: createHistoryPart };

export function createHistoryPart(core: Core) {
  const externalTickets = createExternalTickets(core);
  const found = createHistory(core, externalTickets);
  return {
    // SECURITY: without our line in tickets, a ticket that a stranger opened here under that address could not be
    // recognised.
    ...(core.config.hasFooter && { onVisit: found.search }),
    onRead: found.ticketRead,
    chores: [externalTickets.prune],
    settled: found.settled,
    async stop() {
      found.stop();
      await found.settled();
    },
  };
}
