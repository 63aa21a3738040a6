import type { Sessions } from '../identity/sessions.ts';
import { fileSizes } from '../store/sqlite/file-sizes.ts';
import type { Store } from '../store/open.ts';
import { isWritable } from '../store/writable.ts';
import type { Declare } from './declare.ts';

export const storeMetrics = ({ counter, histogram }: Declare) => ({
  statementDurations: histogram({
    name: 'deskside_store_statement_duration_seconds',
    help: 'Time of a statement of the store, by kind, with the wait for a lock and for the commit.',
    labelNames: ['statement'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  }),
  statementErrors: counter({
    name: 'deskside_store_errors_total',
    help: 'Statements of the store that failed, by the primary result code of SQLite.',
    labelNames: ['code'],
  }),
});

export interface StoreSources {
  store: Store;
  sessions: Pick<Sessions, 'countLive'>;
}

/** @param store null for one that could not be opened */
export const writableGauge = ({ gauge }: Declare, store: Store | null) =>
  gauge({
    name: 'deskside_store_writable',
    help: 'Whether the store takes writes: 0 while the disk is full, or the store locked or broken.',
    async collect() {
      this.set(Number(store !== null && (await isWritable(store))));
    },
  });

export function storeGauges(declare: Declare, { store, sessions }: StoreSources): void {
  const { gauge } = declare;
  writableGauge(declare, store);
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
