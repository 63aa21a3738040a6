import { randomUUID } from 'node:crypto';
import { createDeliveryModules } from './deps/delivery.ts';
import { createInstances, createReadingModule } from './deps/instances.ts';
import { createHistoryModule } from './deps/history.ts';
import { createIdentityModules } from './deps/identity.ts';
import { createLimitsModule } from './deps/limits.ts';
import { createLiveModule } from './deps/live.ts';
import { createNoticeRecords } from './deps/notice-records.ts';
import { createNoticeModule } from './deps/notices.ts';
import { createOperatorDataModule } from './deps/operator-data.ts';
import type { Outside } from './deps/outside.ts';
import { createTicketModules } from './deps/tickets.ts';
import { createUseCases } from './deps/use-cases.ts';
import { shardCount } from './instances/leases.ts';
import { onlyReader } from './live/readers.ts';
import type { LogCode } from './log/codes.ts';
import { declareGauges } from './metrics/metrics.ts';
import { createScripts } from './store/records/scripts.ts';

/** Creates all modules and connects them. Each file in `deps/` creates one group of modules. */
export function createDeps(outside: Outside) {
  const { config, store, seal, v1, metrics, tracer, log, now } = outside;
  const report = (code: LogCode) => (err: unknown) => log.report(code, { err });
  const scripts = createScripts({ store, own: outside.ownScripts, now });
  const limits = createLimitsModule({ outside, onError: report('limits_not_stored') });
  function onJump(aheadMs: number): void {
    log.report('clock_set', { ahead_ms: aheadMs });
    limits.clockWasSet();
  }
  const identity = createIdentityModules({ outside, onError: report('visit_not_stored') });
  const noticeRecords = createNoticeRecords({ outside, identity });
  const ticketModules = createTicketModules({
    outside,
    identity,
    noticeRecords,
    onCustomerChange: (ticketId, addressHash) => history.customerChanged(ticketId, addressHash),
    onError: report('thread_not_stored'),
  });
  const { ledger, worker, delivery, sends, removal, housekeep, chores } = createDeliveryModules({
    outside,
    identity,
    ticketModules,
    noticeRecords,
    keepScripts: scripts.keep,
    removeOldChanges: (limit) => instances.removeOldChanges(limit),
    pruneExternalTickets: (limit) => history.prune(limit),
    onJump,
    onError: report('delivery_failed'),
    onChoreError: report('housekeeping_failed'),
  });
  const onLiveError = report('live_update_failed');
  const onInstanceError = report('instances_not_told');
  const instance = randomUUID();
  const reading = createReadingModule({ outside, instance, onError: onInstanceError });
  const liveHere = createLiveModule({
    outside,
    identity,
    ticketModules,
    readers: reading?.readers ?? onlyReader,
    share: () => reading?.share() ?? 1,
    onError: onLiveError,
  });
  const instances = createInstances({
    outside,
    ticketModules,
    live: liveHere,
    onOperation: worker.changedElsewhere,
    instance,
    reading,
    onError: onInstanceError,
  });
  const { live } = instances;
  const notices = createNoticeModule({
    outside,
    records: noticeRecords,
    ticketModules,
    live: liveHere,
    onError: report('notices_failed'),
  });
  const history = createHistoryModule({
    outside,
    identity,
    ticketModules,
    live,
    onError: report('history_failed'),
  });
  worker.onChange((row) => {
    notices.onSent(row);
    instances.publishOperation(row);
    void live.operation(row).catch(onLiveError);
  });
  const ownShards = () => reading?.ownShardCount() ?? shardCount;
  declareGauges(metrics, { store, now, sessions: identity.sessions, worker, live, ownShards, notices });
  const useCases = createUseCases({
    outside,
    identity,
    ticketModules,
    delivery,
    removal,
    live,
    limits,
    noticeRecords,
    history,
  });
  const operatorData = createOperatorDataModule({ outside, identity, ticketModules, sends, removal });
  return {
    config,
    store,
    seal,
    v1,
    log,
    now,
    sessions: identity.sessions,
    subjects: identity.subjects,
    addressSearch: identity.addressSearch,
    codes: identity.codes,
    handoffs: identity.handoffs,
    identityTokens: identity.identityTokens,
    operations: ticketModules.operations,
    grants: ticketModules.grants,
    transfers: ticketModules.transfers,
    ticketRecords: ticketModules.ticketRecords,
    threads: ticketModules.threads,
    views: ticketModules.views,
    customerData: ticketModules.customerData,
    ledger,
    worker,
    delivery,
    sends,
    removal,
    housekeep,
    chores,
    live,
    instance,
    notices,
    noticeRecords,
    history,
    instances,
    reading,
    limits,
    metrics,
    tracer,
    scripts,
    tickets: useCases.tickets,
    signIn: useCases.signIn,
    handoff: useCases.handoff,
    ownData: useCases.ownData,
    unsubscribe: useCases.unsubscribe,
    articles: useCases.articles,
    operatorData,
  };
}

export type Deps = ReturnType<typeof createDeps>;
