import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Clock } from './clock.ts';
import { createAdmission } from './access/admission.ts';
import { createHandOff } from './access/hand-off.ts';
import { createRotate } from './access/rotate.ts';
import { createSignIn } from './access/sign-in.ts';
import { createTicketAccess } from './access/tickets.ts';
import { createDelivery } from './delivery/deliver.ts';
import { createLedger } from './delivery/ledger.ts';
import { createQueue } from './delivery/queue.ts';
import { createSender } from './delivery/send.ts';
import { createWorker } from './delivery/worker.ts';
import { createCodes } from './identity/codes.ts';
import { createHandoffs } from './identity/handoffs.ts';
import { createIdentityTokens } from './identity/token.ts';
import { createConnectionLimits } from './limits/connections.ts';
import { createLimits } from './limits/limits.ts';
import { createProof } from './limits/proof.ts';
import { createLive } from './live/live.ts';
import { createMailer } from './mail/mailer.ts';
import { createSessions } from './session/sessions.ts';
import { createSubjects } from './session/subjects.ts';
import type { Store } from './store/open.ts';
import { prune } from './store/prune.ts';
import { createScripts, type ScriptBodies } from './store/scripts.ts';
import type { Seal } from './store/seal.ts';
import { createGrants } from './tickets/grants.ts';
import { createOperations } from './tickets/operations.ts';
import { createThreads } from './tickets/threads.ts';
import { createTransfers } from './tickets/transfers.ts';
import { createViews } from './tickets/views.ts';
import type { V1Client } from './v1/client.ts';

/** The parts from outside; a test brings its own. */
export interface Outside extends Clock {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'allowedOrigins'
    | 'brand'
    | 'identity'
    | 'mail'
    | 'webhookSecrets'
    | 'trustedProxies'
    | 'pow'
    | 'limits'
    | 'hasFooter'
    | 'settleMs'
    | 'leaseMs'
    | 'watchActiveMs'
    | 'watchIdleMs'
    | 'readsPerSecond'
    | 'hasPlayground'
  >;
  /** Where limits are counted over restarts; null: in memory. */
  limitsFile: string | null;
  store: Store;
  /** The content-addressed scripts of this build, by name. */
  ownScripts: ReadonlyMap<string, { bodies: ScriptBodies }>;
  seal: Seal;
  v1: V1Client;
  log: Logger;
}

/** Puts the rooms together. */
export function createDeps(outside: Outside) {
  const { config, store, log, seal } = outside;
  const onError = (err: unknown) => log.error({ err }, 'background work failed');
  const sessions = createSessions({ ...outside, onError });
  const subjects = createSubjects(outside);
  const grants = createGrants(outside);
  const transfers = createTransfers({ ...outside, sessions, grants });
  const operations = createOperations(store);
  const threads = createThreads({ ...outside, onError });
  const views = createViews({ ...outside, operations, grants, transfers });
  const ledger = createLedger({ ...outside, settleMs: config.settleMs, leaseMs: config.leaseMs });
  const sender = createSender({ ...outside, ledger, threads, subjects, hasFooter: config.hasFooter });
  const scripts = createScripts({ ...outside, own: outside.ownScripts });
  async function housekeep(): Promise<void> {
    // What one of them cannot do keeps none of the others from it.
    for (const chore of [scripts.keep, ledger.eraseDelivered, () => prune(store, outside.now())])
      await chore().catch(onError);
  }
  const queue = createQueue(outside);
  function onJump(aheadMs: number): void {
    log.warn({ ahead_ms: aheadMs }, 'the system clock was set');
    limits.clockWasSet();
  }
  const worker = createWorker({ ...outside, ledger, queue, sender, operations, housekeep, onJump, onError });
  const delivery = createDelivery({ ledger, worker, sender, sessions, subjects });
  const live = createLive({
    ...outside,
    grants,
    views,
    threads,
    sessions,
    subjects,
    activeMs: config.watchActiveMs,
    idleMs: config.watchIdleMs,
    readsPerSecond: config.readsPerSecond,
    onError,
  });
  worker.onChange((row) => void live.operation(row).catch(onError));

  const limits = createLimits({ file: outside.limitsFile, settings: config.limits, seal, onError });
  const admission = createAdmission({
    limits,
    proof: createProof({ ...outside, mode: config.pow }),
    hasCodes: config.mail !== null,
  });
  const connections = createConnectionLimits({ perAddress: config.limits.streamsPerIp });
  const held = {
    ...outside,
    sessions,
    subjects,
    grants,
    transfers,
    operations,
    threads,
    views,
    delivery,
    live,
    admission,
  };
  const tickets = createTicketAccess({ ...held, connections });
  const rotate = createRotate(held);
  const signIn = createSignIn({
    ...held,
    rotate,
    identityTokens: createIdentityTokens({
      ...outside,
      ...config.identity,
      allowedIssuers: config.allowedOrigins,
    }),
    codes: createCodes(outside),
    mailer:
      config.mail && createMailer({ ...config.mail, brand: config.brand, publicUrl: config.publicUrl, log }),
  });

  const handOff = createHandOff({
    ...held,
    rotate,
    handoffs: createHandoffs(outside),
    publicUrl: config.publicUrl,
  });

  return { ...held, scripts, ledger, worker, limits, tickets, signIn, handOff };
}

export type Deps = ReturnType<typeof createDeps>;
