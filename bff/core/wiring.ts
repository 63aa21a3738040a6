import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import type { Clock } from './clock.ts';
import { createOperationChanges } from './delivery/changing-holders.ts';
import { createDelivery } from './delivery/delivery.ts';
import { createQueue } from './delivery/due.ts';
import { createLedger } from './delivery/ledger.ts';
import { createSendRetention } from './delivery/retention.ts';
import { createSender } from './delivery/send.ts';
import { createWorker } from './delivery/worker.ts';
import type { Assets } from './http/files/assets.ts';
import { batches, createHousekeeping } from './housekeeping.ts';
import { createCodes } from './identity/codes.ts';
import { createHandoffs } from './identity/handoffs.ts';
import { createIdentityTokens } from './identity/identity-token.ts';
import { createSessions } from './identity/sessions.ts';
import { createSubjects } from './identity/subjects.ts';
import { createStreamLimits } from './limits/connections.ts';
import { openCounters } from './store/counters.ts';
import { createLimits } from './limits/limits.ts';
import { createProof } from './limits/proof.ts';
import { createLive, telling } from './live/live.ts';
import { onlyReader } from './live/readers.ts';
import type { LogCode } from './log/codes.ts';
import type { Log } from './log/log.ts';
import { declareGauges } from './metrics/gauges.ts';
import { declareIn, type Metrics } from './metrics/metrics.ts';
import type { Part } from './part.ts';
import type { Store } from './store/open.ts';
import { createLastUse } from './store/records/last-use.ts';
import { createScripts } from './store/records/scripts.ts';
import type { Seal } from './store/seal.ts';
import { createCustomerData } from './tickets/customer-data.ts';
import { createGrants } from './tickets/grants.ts';
import { createOwnership } from './tickets/ownership.ts';
import { createOperations } from './tickets/operations.ts';
import { createRemoval } from './tickets/removal.ts';
import { createThreads } from './tickets/threads.ts';
import { createTicketRecords } from './tickets/ticket-records.ts';
import { createTransfers } from './tickets/transfers.ts';
import { createViews } from './tickets/views.ts';
import type { Tracer } from './tracer.ts';
import { createAdmission } from './use-cases/admission.ts';
import { createHandoffUseCases } from './use-cases/handoff.ts';
import { createOperatorData } from './use-cases/operator-data.ts';
import { createOwnData } from './use-cases/own-data.ts';
import { createReceived } from './use-cases/received.ts';
import { createRotate, createSignIn } from './use-cases/sign-in.ts';
import { createTicketUseCases } from './use-cases/tickets.ts';
import type { V1Client } from './v1/client.ts';

/** What the core is made from. A test passes its own. */
export interface Outside extends Clock {
  config: Omit<
    Config,
    | 'upstream'
    | 'host'
    | 'port'
    | 'adminHost'
    | 'adminPort'
    | 'place'
    | 'secretKey'
    | 'logLevel'
    | 'sitesFile'
  >;
  /** The file for counts of long limits, where the store is a file, too. Null: in memory. */
  limitsFile: string | null;
  store: Store;
  /**
   * For several instances on one database: the same store on connections of its own, and where to listen for their
   * notifications. Null where one process alone uses the store.
   */
  instances: { store: Store; notifyUrl: string | null } | null;
  /** The scripts of this build whose names change with their content, by name. */
  ownScripts: Assets['imports'];
  seal: Seal;
  v1: V1Client;
  metrics: Metrics;
  tracer: Tracer;
  log: Log;
}

/**
 * Creates the modules of the core and connects them, each from those before it. No send, read or chore begins yet.
 * @param parts the running extras. The list is filled after this call, since extras use the core.
 */
export function createCore(outside: Outside, parts: readonly Part[]) {
  const { config, store, seal, v1, metrics, tracer, log, limitsFile, now, elapsed } = outside;
  const report = (code: LogCode) => (err: unknown) => log.report(code, { err });
  const clock = { now, elapsed };

  // Who a customer is, and the ways to prove it.
  const subjects = createSubjects({ store, seal, now });
  const sessions = createSessions({ store, seal, subjects, now, onError: report('visit_not_stored') });
  const codes = createCodes({ store, seal, now });
  const handoffs = createHandoffs({ store, seal, now });
  const identityTokens = createIdentityTokens({
    ...config.identity,
    allowedIssuers: config.allowedOrigins,
    store,
    seal,
    onLeftOut: (attributes) => log.report('identity_attributes_left_out', { attributes }),
    onOddOrg: () => log.report('identity_org_left_out'),
    ...clock,
  });

  // Who may see which ticket, and how it is shown.
  const operations = createOperations(store);
  const operationChanges = createOperationChanges({ now });
  const grants = createGrants({ store, now });
  const ownership = createOwnership({ store, operations: operationChanges, parts, now });
  const transfers = createTransfers({
    store,
    sessions,
    subjects,
    ownership,
    operations: operationChanges,
    now,
  });
  const ticketRecords = createTicketRecords({ store, seal, now, parts });
  const threads = createThreads({
    records: ticketRecords,
    v1,
    parts,
    ...clock,
    onError: report('thread_not_stored'),
  });
  const { brand } = config;
  const views = createViews({ store, seal, operations, ownership, transfers, subjects, brand, parts });
  const customerData = createCustomerData({ sessions, operations, views, parts, seal, now });

  // Limits.
  const limits = createLimits({
    counterStore: openCounters(store, limitsFile),
    settings: config.limits,
    seal,
    refusals: metrics.limitRefusals,
    onError: report('limits_not_stored'),
  });
  const proof = createProof({ store, seal, mode: config.pow, results: metrics.proofs, now });
  const streamLimits = createStreamLimits({
    perAddress: config.limits.streamsPerIp,
    refusals: metrics.limitRefusals,
  });
  const admission = createAdmission({ limits, proof, parts });

  // Sends to the ticket service.
  const { settleMs, leaseMs, hasFooter } = config;
  const ledger = createLedger({
    store,
    seal,
    grants,
    ticketRecords,
    parts,
    settleMs,
    leaseMs,
    tracer,
    ...clock,
  });
  const sender = createSender({ v1, ledger, seal, threads, hasFooter, ...clock });
  const sends = createSendRetention({ store, ledger, keep: config.retention, now });
  const removal = createRemoval({
    store,
    sends,
    sessions,
    subjects,
    grants,
    ticketRecords,
    parts,
    limit: batches.rows,
    pause: () => sleep(batches.pauseMs.min),
  });
  const worker = createWorker({
    ledger,
    queue: createQueue({ store }),
    sender,
    operations,
    durations: metrics.deliveryDurations,
    tracer,
    ...clock,
    onJump(aheadMs) {
      log.report('clock_set', { ahead_ms: aheadMs });
      limits.clockWasSet();
    },
    onError: report('delivery_failed'),
  });
  const lastUse = createLastUse({
    store,
    ...clock,
    async onSetBack() {
      const doubted = await ledger.doubtUnsent();
      worker.poll();
      if (doubted > 0) log.info('unsent messages are looked for at the service first', { sends: doubted });
    },
    onError: report('last_use_not_stored'),
  });
  const delivery = createDelivery({ ledger, worker, sender, sessions, subjects });

  // Open pages.
  const readers = { ...onlyReader };
  const onLiveError = report('live_update_failed');
  const liveHere = createLive({
    grants,
    views,
    threads,
    v1,
    readers,
    sessions,
    subjects,
    seal,
    activeMs: config.watchActiveMs,
    idleMs: config.watchIdleMs,
    readsPerSecond: () => Math.max(1, Math.floor(config.readsPerSecond * readers.share())),
    streamDurations: metrics.streamDurations,
    answerDelays: metrics.answerDelays,
    serviceNow: () => v1.serviceNow() ?? now(),
    elapsed,
    onError: onLiveError,
  });
  const live = telling(liveHere, parts);
  worker.onChange((row) => {
    for (const part of parts) part.onSendChanged?.(row);
    void live.operation(row).catch(onLiveError);
  });

  // What visitors and operators can do.
  const rotate = createRotate({ sessions, transfers, views, live });
  const tickets = createTicketUseCases({
    grants,
    operations,
    views,
    threads,
    subjects,
    delivery,
    live,
    admission,
    streamLimits,
    parts,
  });
  const received = createReceived({ grants, operations, subjects, delivery, worker, parts });
  const signIn = createSignIn({
    sessions,
    subjects,
    ownership,
    transfers,
    views,
    live,
    admission,
    rotate,
    codes,
    identityTokens,
    parts,
  });
  const { publicUrl } = config;
  const handoff = createHandoffUseCases({
    sessions,
    subjects,
    views,
    admission,
    handoffs,
    rotate,
    publicUrl,
  });
  const ownData = createOwnData({ sessions, subjects, transfers, removal, data: customerData, views, live });
  const operatorData = createOperatorData({
    subjects,
    sends,
    removal,
    data: customerData,
    parts,
    now,
  });

  // Upkeep.
  const scripts = createScripts({ store, own: outside.ownScripts, now });
  const housekeeping = createHousekeeping({
    store,
    sessions,
    sends,
    removal,
    scripts,
    parts,
    unvisitedMs: config.retention.unvisitedMs,
    serviceNow: v1.serviceNow,
    lastUse,
    log,
    ...clock,
    onError: report('housekeeping_failed'),
  });
  declareGauges(metrics.registry, { store, now, sessions, worker, live, readers });

  return {
    config,
    store,
    instances: outside.instances,
    seal,
    v1,
    metrics,
    declare: declareIn(metrics.registry),
    tracer,
    log,
    ...clock,
    /** Makes the function that reports an error under this code of the log. */
    report,
    parts,
    sessions,
    subjects,
    codes,
    handoffs,
    operations,
    grants,
    ownership,
    transfers,
    ticketRecords,
    threads,
    views,
    limits,
    ledger,
    sends,
    removal,
    worker,
    lastUse,
    delivery,
    readers,
    /** Acts on the open pages of all instances. */
    live,
    /** Acts on the open pages of this instance alone. */
    liveHere,
    tickets,
    received,
    signIn,
    handoff,
    ownData,
    operatorData,
    scripts,
    housekeeping,
  };
}

export interface Core extends ReturnType<typeof createCore> {}
