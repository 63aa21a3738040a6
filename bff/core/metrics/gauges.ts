import type { Registry } from 'prom-client';
import { createLedgerCounts } from '../delivery/operator.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Live } from '../live/live.ts';
import type { Readers } from '../live/readers.ts';
import type { Store } from '../store/open.ts';
import { fileSizes } from '../store/sqlite/files.ts';
import { isWritable } from '../store/inspect.ts';
import { advice, type ServiceCheck } from '../v1/service-check.ts';
import { declareIn } from './metrics.ts';

/* Metrics that are read from the modules of the server at each scrape. */

/** Declares the gauges of a site. */
export function declareGauges(
  registry: Registry,
  sources: {
    store: Store;
    now: () => number;
    sessions: Pick<Sessions, 'countLive'>;
    worker: { isBreakerOpen: () => boolean };
    live: Pick<Live, 'counts' | 'isBreakerOpen'>;
    readers: Pick<Readers, 'shards'>;
  },
): void {
  const { store, sessions, worker, live, readers } = sources;
  const { gauge } = declareIn(registry);
  gauge({
    name: 'deskside_circuit_breaker_open',
    help: 'Whether calls to the ticket service are held back after failures in a row: of deliveries, of watches.',
    labelNames: ['calls'],
    collect() {
      this.set({ calls: 'deliveries' }, Number(worker.isBreakerOpen()));
      this.set({ calls: 'watches' }, Number(live.isBreakerOpen()));
    },
  });
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
  gauge({
    name: 'deskside_streams',
    help: 'Streams that are open.',
    collect() {
      this.set(live.counts().streams);
    },
  });
  gauge({
    name: 'deskside_watches',
    help: 'Tickets that somebody has on screen or in a badge here, or that are read here for other instances.',
    collect() {
      this.set(live.counts().watches);
    },
  });
  gauge({
    name: 'deskside_watch_shards',
    help: 'Of the 256 shards of tickets, those that this instance reads: all of them where it is alone.',
    collect() {
      this.set(readers.shards());
    },
  });
  declareWritable(registry, store);
  gauge({
    name: 'deskside_store_file_bytes',
    help: 'Size of the files of the store: the database, and its write-ahead log.',
    labelNames: ['file'],
    async collect() {
      for (const { file, bytes } of await fileSizes(store)) this.set({ file }, bytes);
    },
  });
  gauge({
    name: 'deskside_sessions',
    help: 'Sessions that have not ended. Counted every few minutes where there are very many.',
    async collect() {
      this.set(await sessions.countLive());
    },
  });
}

/** @param store null for one that could not be opened */
export function declareWritable(registry: Registry, store: Store | null): void {
  declareIn(registry).gauge({
    name: 'deskside_store_writable',
    help: 'Whether the store takes writes: 0 while the disk is full, or the store locked or broken.',
    async collect() {
      this.set(Number(store !== null && (await isWritable(store))));
    },
  });
}

/** Declares the state of the ticket service, as in `/readyz`. */
export function declareServiceState(registry: Registry, serviceCheck: Pick<ServiceCheck, 'state'>): void {
  const { gauge } = declareIn(registry);
  gauge({
    name: 'deskside_service_usable',
    help: 'Whether the ticket service works, or has worked and is only away for now.',
    collect() {
      this.set(Number(serviceCheck.state().isUsable));
    },
  });
  gauge({
    name: 'deskside_service_problem',
    help: 'What keeps the ticket service from being used, by cause.',
    labelNames: ['cause'],
    collect() {
      const { problem } = serviceCheck.state();
      for (const cause of Object.keys(advice)) this.set({ cause }, Number(problem?.cause === cause));
    },
  });
}
