import { createLedgerCounts } from '../delivery/operator.ts';
import type { Store } from '../store/open.ts';
import type { Declare } from './declare.ts';

/** Metrics of customers' sends. */
export const deliveryMetrics = ({ histogram }: Declare) => ({
  deliveryDurations: histogram({
    name: 'deskside_delivery_duration_seconds',
    help: 'Time from the acceptance of a send to its end, by kind and final state.',
    labelNames: ['kind', 'state'],
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400],
  }),
});

export interface DeliverySources {
  store: Store;
  now: () => number;
}

export function deliveryGauges({ gauge }: Declare, sources: DeliverySources): void {
  const ledger = createLedgerCounts(sources);
  gauge({
    name: 'deskside_operations',
    help: 'Sends by kind and state. Counted every few minutes where there are very many.',
    labelNames: ['kind', 'state'],
    async collect() {
      const rows = await ledger.byKindAndState();
      // Pairs that have no rows any more are not shown.
      this.reset();
      for (const { kind, state, count } of rows) this.set({ kind, state }, count);
    },
  });
  gauge({
    name: 'deskside_operations_undecided',
    help: 'Sends that are not tried any more until their customer or the operator asks for it.',
    async collect() {
      this.set(await ledger.undecided());
    },
  });
  gauge({
    name: 'deskside_operations_ambiguous',
    help: 'Sends found by reading where another message of the same text could have been it too.',
    async collect() {
      this.set(await ledger.ambiguous());
    },
  });
  gauge({
    name: 'deskside_oldest_undelivered_seconds',
    help: 'Age of the oldest send that is still being tried, by state; 0 without one.',
    labelNames: ['state'],
    async collect() {
      const ages = await ledger.oldestUndeliveredSec();
      for (const [state, ageSec] of Object.entries(ages)) this.set({ state }, ageSec);
    },
  });
}
