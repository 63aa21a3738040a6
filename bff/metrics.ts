import { Counter, type CounterConfiguration, Gauge, type GaugeConfiguration, Registry } from 'prom-client';
import { createLedgerCounts } from './delivery/ledger-counts.ts';
import type { Store } from './store/open.ts';
import { isWritable } from './store/writable.ts';

/**
 * Declares every metric. A counter is returned and counted where the event happens. A gauge is read from the store at
 * each scrape.
 */
export function createMetrics({ store, now }: { store: Store; now: () => number }) {
  const registry = new Registry();
  const counter = <Label extends string>(config: CounterConfiguration<Label>) =>
    new Counter({ ...config, registers: [registry] });
  const gauge = <Label extends string>(config: GaugeConfiguration<Label>) =>
    new Gauge({ ...config, registers: [registry] });
  const ledger = createLedgerCounts({ store, now });

  gauge({
    name: 'deskside_operations',
    help: 'Sends by kind and state.',
    labelNames: ['kind', 'state'],
    async collect() {
      const rows = await ledger.byKindAndState();
      // A pair that has no rows any more is not shown.
      this.reset();
      for (const { kind, state, count } of rows) this.set({ kind, state }, count);
    },
  });
  gauge({
    name: 'deskside_operations_undecided',
    help: 'Sends that are not tried any more until their customer asks for it.',
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
    help: 'Age of the oldest send that is still being tried.',
    async collect() {
      this.set(await ledger.oldestUndeliveredSec());
    },
  });
  gauge({
    name: 'deskside_store_writable',
    help: 'Whether the store takes writes: 0 while the disk is full, or the store locked or broken.',
    async collect() {
      this.set(Number(await isWritable(store)));
    },
  });

  return {
    registry,
    gateRefusals: counter({
      name: 'deskside_gate_refusals_total',
      help: 'Requests to the API that the gate refused, by reason.',
      labelNames: ['reason'],
    }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
