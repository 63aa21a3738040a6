import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdmin } from './admin.ts';
import type { Articles } from './articles/articles.ts';
import { createVotes } from './articles/votes.ts';
import { createApp } from './app.ts';
import type { Clock } from './clock.ts';
import { type Config, warningsOf } from './config.ts';
import { createDeps, type Deps } from './deps.ts';
import { type Assets, loadAssets } from './http/files/assets.ts';
import { documentsWithSite } from './http/files/documents.ts';
import { siteForm } from './form/site-form.ts';
import { brandIn, createSite } from './site/site.ts';
import type { Listener } from './instances/listener.ts';
import { clockOf } from './instances/server-clock.ts';
import { createLog, type Log } from './log/log.ts';
import { logUnexpected } from './log/unexpected.ts';
import { openMailer } from './mail/open-mailer.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { declareListener } from './metrics/instances.ts';
import { declareProcess } from './metrics/process.ts';
import { declareServiceState } from './metrics/service.ts';
import { close, listen } from './server.ts';
import { createServiceRecord } from './store/records/services.ts';
import { checkSeal, openAmongInstances, openStore, type Store } from './store/open.ts';
import { enterStore } from './store/sqlite/in-use.ts';
import { keepFilesPrivate } from './store/sqlite/private-files.ts';
import { createSeal } from './store/seal.ts';
import { loadSecretKey } from './store/secret.ts';
import { startTracing } from './tracing/start.ts';
import { createV1Client, type V1Client } from './v1/client.ts';
import { createKeyRing } from './v1/keys.ts';
import { createServiceCheck, type ServiceCheck } from './v1/service-check.ts';
import { widgetDir } from './widget-dir.ts';

const drainMs = 10_000;
const finishSendsMs = 7_000;

async function listenToOthers(place: Config['place'], wake: () => void): Promise<Listener | null> {
  if ('dataDir' in place) return null;
  const { startListener } = await import('./instances/listener.ts');
  return startListener(place.directUrl ?? place.databaseUrl, wake);
}

async function openArticles(
  { articlesDir }: Config,
  { store, log, clock }: { store: Store; log: Log; clock: Clock },
): Promise<Articles | null> {
  if (articlesDir === null) return null;
  const articles = await import('./articles/articles.ts');
  const votes = createVotes({ store, now: clock.now });
  return articles.openArticles({ dir: articlesDir, votes, log, elapsed: clock.elapsed });
}

/** Opens the store and what belongs to it: the connections between instances, the seal and the shared clock. */
async function openStores(config: Config, metrics: Metrics, log: Log) {
  const { place } = config;
  const isFile = 'dataDir' in place;
  // SECURITY: must come before the store's first file is created.
  if (isFile) for (const file of keepFilesPrivate(config.dataDir)) log.report('store_file_shared', { file });
  const store = await openStore(place, metrics);
  const instanceStore = isFile ? null : await openAmongInstances(place);
  const seal = createSeal(loadSecretKey(config.secretKey, config.dataDir));
  await checkSeal(store, seal);
  const { stop: stopClock, ...clock } = await clockOf(place, instanceStore ?? store, (err) =>
    log.report('instances_not_told', { err }),
  );
  const enteredAt = clock.now();
  // With PostgreSQL, the leases of a process that has ended expire.
  const presence = isFile ? enterStore(config.dataDir) : null;
  return {
    store,
    instanceStore,
    seal,
    clock,
    /** When this process began to use the store, in Unix milliseconds. */
    enteredAt,
    wasAlone: presence?.wasAlone === true,
    async close(): Promise<void> {
      await Promise.all([store.destroy(), instanceStore?.destroy()]);
      presence?.leave();
    },
    stopClock,
  };
}

/** The documents with what the settings add to them. */
async function openDocuments(
  config: Config,
  { assets, articles, clock }: { assets: Assets; articles: Articles | null; clock: Clock },
) {
  const { form, schedule, replyTime, notifications } = config;
  const siteOf = await createSite({
    schedule,
    replyTime,
    notify: notifications !== null,
    formIn: form && ((tag) => siteForm(form, tag)),
    articles,
  });
  return documentsWithSite(
    assets,
    {
      siteOf: siteOf && ((tag) => siteOf(tag, clock.now())),
      brandOf: (tag) => brandIn(tag, config),
    },
    clock.elapsed,
  );
}

/** Serves browsers at the public port. */
const listenToBrowsers = (
  config: Config,
  { fetch }: ReturnType<typeof createApp>,
  metrics: Metrics,
  log: Log,
) =>
  listen(fetch, config.host, config.port, {
    isBehindProxy: config.trustedProxies > 0,
    onRefused() {
      metrics.limitRefusals.inc({ limit: 'connections-ip' });
      log.report('connection_refused');
    },
  });

interface Running {
  log: Log;
  tracing: Awaited<ReturnType<typeof startTracing>>;
  deps: Deps;
  v1: V1Client;
  stores: Awaited<ReturnType<typeof openStores>>;
  serviceCheck: ServiceCheck;
  servers: readonly Parameters<typeof close>[0][];
  listener: Listener | null;
}

/** Ends what is running in order. If that takes too long, the process ends at once. */
async function stopServer(running: Running): Promise<void> {
  const { log, tracing, deps, v1, stores, serviceCheck, servers, listener } = running;
  setTimeout(() => {
    log.report('stop_too_slow');
    process.exit(1);
  }, drainMs).unref();
  const closed = Promise.all(servers.map(close));
  // Streams never end by themselves, and a server does not close while one is open.
  deps.live.stop();
  serviceCheck.stop();
  deps.history.stop();
  const finished = Promise.all([
    deps.worker.stop(),
    deps.chores.stop(),
    deps.notices.job?.stop(),
    deps.history.settled(),
  ]);
  await Promise.race([finished, sleep(finishSendsMs, undefined, { ref: false })]);
  // Sends that have no answer yet are in doubt, and are looked up at the next start.
  await v1.abort();
  await finished;
  await closed;
  deps.limits.close();
  stores.stopClock();
  await Promise.all([listener?.stop(), deps.instances.stop()]);
  await stores.close();
  // Last, so that nothing else waits for a collector.
  await tracing.stop();
  log.flush();
  log.info('stopped');
}

/**
 * Runs the server until a signal ends the process.
 * @throws when it cannot start: store, secret key, widget's files, ports
 */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  logUnexpected(log);
  const tracing = await startTracing(config.tracing, (cause) => log.report('traces_not_sent', { cause }));
  const metrics = createMetrics();
  declareProcess(metrics.registry);
  const stores = await openStores(config, metrics, log);
  const { store, instanceStore, clock } = stores;
  const v1 = createV1Client({
    ...config.upstream,
    ...clock,
    keys: createKeyRing(config.upstream),
    metrics,
    tracer: tracing.tracer,
    onFailure: (call) => log.report(`service_call_${call.failure.kind}`, call),
  });
  const assets = loadAssets(widgetDir);
  const articles = await openArticles(config, { store, log, clock });
  const deps = createDeps({
    config,
    store,
    articles,
    mailer: await openMailer(config, log),
    ...(instanceStore && { instanceStore }),
    ownScripts: assets.imports,
    seal: stores.seal,
    v1,
    metrics,
    tracer: tracing.tracer,
    log,
    limitsFile: join(config.dataDir, 'limits.db'),
    ...clock,
  });
  const serviceCheck = createServiceCheck({
    v1,
    record: createServiceRecord(store, config.upstream.url, clock.now),
    log,
    onError: (err) => log.report('service_record_not_stored', { err }),
  });
  declareServiceState(metrics.registry, serviceCheck);
  // As soon as this instance serves pages, browsers may ask other instances for the scripts of these pages.
  await deps.scripts.keep().catch((err: unknown) => log.report('scripts_not_stored', { err }));

  let isStopping = false;
  const admin = await listen(
    createAdmin({ store, metrics, serviceCheck, log, isStopping: () => isStopping }).fetch,
    config.host,
    config.adminPort,
  );
  const documentOf = await openDocuments(config, { assets, articles, clock });
  const server = await listenToBrowsers(
    config,
    createApp(deps, assets, documentOf ?? undefined),
    metrics,
    log,
  );
  // Sends that the last process left behind are looked up now, and not only after their lease.
  if (stores.wasAlone) {
    await deps.ledger.release(stores.enteredAt);
    await deps.notices.release(stores.enteredAt);
  }
  await deps.instances.start();
  const listener = await listenToOthers(config.place, deps.instances.wake);
  if (listener) declareListener(metrics.registry, listener);
  await deps.worker.start();
  deps.chores.start();
  deps.notices.job?.start();
  serviceCheck.start();
  for (const code of warningsOf(config)) log.report(code);
  log.info('ready', { address: server.address(), admin: admin.address(), public_url: config.publicUrl });

  const running = { log, tracing, deps, v1, stores, serviceCheck, servers: [server, admin], listener };
  function onSignal(signal: NodeJS.Signals): void {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping', { signal });
    void stopServer(running);
  }
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
