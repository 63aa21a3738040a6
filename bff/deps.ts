import { createDeliveryModules } from './deps/delivery.ts';
import { createIdentityModules } from './deps/identity.ts';
import { createLiveModule } from './deps/live.ts';
import { createOperatorDataModule } from './deps/operator-data.ts';
import type { Outside } from './deps/outside.ts';
import { createTicketModules } from './deps/tickets.ts';
import { createUseCases } from './deps/use-cases.ts';
import { createLimits } from './limits/limits.ts';
import { declareGauges } from './metrics/metrics.ts';
import { createScripts } from './store/scripts.ts';

/** Puts the modules together. */
export function createDeps(outside: Outside) {
  const { config, store, seal, v1, metrics, log, now } = outside;
  const onError = (err: unknown) => log.error({ err }, 'background work failed');
  const scripts = createScripts({ store, own: outside.ownScripts, now });
  const limits = createLimits({
    file: outside.limitsFile,
    settings: config.limits,
    seal,
    refusals: metrics.limitRefusals,
    onError,
  });
  function onJump(aheadMs: number): void {
    log.warn({ ahead_ms: aheadMs }, 'the system clock was set');
    limits.clockWasSet();
  }
  const identity = createIdentityModules({ outside, onError });
  const ticketModules = createTicketModules({ outside, identity, onError });
  const { ledger, worker, delivery, sends, removal, housekeep } = createDeliveryModules({
    outside,
    identity,
    ticketModules,
    keepScripts: scripts.keep,
    onJump,
    onError,
  });
  const live = createLiveModule({ outside, identity, ticketModules, onError });
  worker.onChange((row) => void live.operation(row).catch(onError));
  declareGauges(metrics, { store, now, sessions: identity.sessions, worker, live });
  const useCases = createUseCases({
    outside,
    identity,
    ticketModules,
    delivery,
    removal,
    live,
    limits,
  });
  const operatorData = createOperatorDataModule({ outside, identity, ticketModules, sends, removal });
  return {
    config,
    store,
    seal,
    v1,
    log,
    now,
    ...identity,
    ...ticketModules,
    ledger,
    worker,
    delivery,
    sends,
    removal,
    housekeep,
    live,
    limits,
    metrics,
    scripts,
    ...useCases,
    operatorData,
  };
}

export type Deps = ReturnType<typeof createDeps>;
