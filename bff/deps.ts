import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createDelivery } from './delivery/deliver.ts';
import { createLedger } from './delivery/ledger.ts';
import { createSender } from './delivery/send.ts';
import { createWorker } from './delivery/worker.ts';
import { createLive } from './live/live.ts';
import { createSessions } from './session/sessions.ts';
import type { Store } from './store/open.ts';
import type { Seal } from './store/seal.ts';
import { createGrants } from './tickets/grants.ts';
import { createOperations } from './tickets/operations.ts';
import { createThreads } from './tickets/threads.ts';
import { createViews } from './tickets/views.ts';
import type { V1Client } from './v1/client.ts';

/** The parts from outside; a test brings its own. */
export interface Outside {
  config: Pick<
    Config,
    'publicUrl' | 'allowedOrigins' | 'brand' | 'hasFooter' | 'settleMs' | 'watchActiveMs' | 'watchIdleMs'
  >;
  store: Store;
  seal: Seal;
  v1: V1Client;
  log: Logger;
  /** Unix milliseconds. */
  now: () => number;
}

/** Puts the rooms together. */
export function createDeps(outside: Outside) {
  const { config, store, log, seal } = outside;
  const onError = (err: unknown) => log.error({ err }, 'background work failed');
  const sessions = createSessions(outside);
  const grants = createGrants(store);
  const operations = createOperations(store);
  const threads = createThreads(outside);
  const views = createViews({ ...outside, operations });
  const ledger = createLedger({ ...outside, settleMs: config.settleMs });
  const sender = createSender({ ...outside, ledger, threads, sessions, hasFooter: config.hasFooter });
  const worker = createWorker({ ...outside, ledger, sender, operations, onError });
  const delivery = createDelivery({ ledger, worker, sender, sessions, seal });
  const live = createLive({
    ...outside,
    grants,
    views,
    threads,
    sessions,
    brand: config.brand,
    activeMs: config.watchActiveMs,
    idleMs: config.watchIdleMs,
    onError,
  });
  worker.onChange((row) => void live.operation(row).catch(onError));
  return { ...outside, sessions, grants, operations, threads, views, ledger, worker, delivery, live };
}

export type Deps = ReturnType<typeof createDeps>;
