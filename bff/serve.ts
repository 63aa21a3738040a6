import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAdmin } from './core/http/admin.ts';
import { createApp } from './app.ts';
import type { Config } from './core/config.ts';
import { type misspelt, warningsOf } from './config.ts';
import { type Assets, loadAssets } from './core/http/files/assets.ts';
import { documentsWithSite } from './core/http/files/documents.ts';
import { brandIn, createSite } from './core/site/site.ts';
import { addExtras, schema } from './extras/index.ts';
import { clockOf } from './core/store/postgres/server-clock.ts';
import { createLog, type Log, logUnexpected } from './core/log/log.ts';
import { createMetrics, type Metrics, declareProcess } from './core/metrics/metrics.ts';
import { declareServiceState } from './core/metrics/service.ts';
import { close, listen } from './server.ts';
import { createServiceRecord } from './core/store/records/services.ts';
import { checkSeal, openAmongInstances, openStore } from './core/store/open.ts';
import { enterStore } from './core/store/sqlite/in-use.ts';
import { watchFiles } from './core/store/sqlite/watch-files.ts';
import { keepFilesPrivate } from './core/store/sqlite/private-files.ts';
import { createSeal } from './core/store/seal.ts';
import { loadSecretKey } from './core/store/secret.ts';
import { createTracer } from './core/tracer.ts';
import { type Core, createCore } from './core/wiring.ts';
import type { Part } from './core/part.ts';
import { createV1Client } from './core/v1/client.ts';
import { createKeyRing } from './core/v1/keys.ts';
import { createServiceCheck, type ServiceCheck } from './core/v1/service-check.ts';
import { widgetDir } from './widget-dir.ts';

const drainMs = 10_000;
const finishSendsMs = 7_000;

/** Opens the store and what belongs to it: the connections between instances, the seal and the shared clock. */
async function openStores(config: Config, metrics: Metrics, log: Log) {
  const { place } = config;
  const isFile = 'dataDir' in place;
  // SECURITY: must come before the store's first file is created.
  if (isFile) for (const file of keepFilesPrivate(config.dataDir)) log.report('store_file_shared', { file });
  const store = await openStore(place, schema, metrics);
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
    /** For the work between instances. */
    instances: instanceStore && {
      store: instanceStore,
      notifyUrl: isFile ? null : (place.directUrl ?? place.databaseUrl),
    },
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

/** The documents with what the settings and the extras add to them. */
async function openDocuments({ config, parts, now, elapsed }: Core, assets: Assets) {
  const siteOf = await createSite(
    config,
    parts.flatMap(({ site }) => site ?? []),
  );
  return documentsWithSite(
    assets,
    {
      siteOf: siteOf && ((tag) => siteOf(tag, now())),
      brandOf: (tag) => brandIn(tag, config),
    },
    elapsed,
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
  core: Core;
  stores: Awaited<ReturnType<typeof openStores>>;
  serviceCheck: ServiceCheck;
  servers: readonly Parameters<typeof close>[0][];
}

/** Ends what is running in order. If that takes too long, the process ends at once. */
async function stopServer({ core, stores, serviceCheck, servers }: Running): Promise<void> {
  const { log, parts } = core;
  setTimeout(() => {
    log.report('stop_too_slow');
    process.exit(1);
  }, drainMs).unref();
  const closed = Promise.all(servers.map(close));
  // Streams never end by themselves, and a server does not close while one is open.
  core.live.stop();
  serviceCheck.stop();
  const finished = Promise.all([
    core.worker.stop(),
    core.housekeeping.stop(),
    core.lastUse.stop(),
    ...parts.map(async (part) => part.stop?.()),
  ]);
  await Promise.race([finished, sleep(finishSendsMs, undefined, { ref: false })]);
  // Sends that have no answer yet are in doubt, and are looked up at the next start.
  await core.v1.abort();
  await finished;
  await closed;
  core.limits.close();
  stores.stopClock();
  await Promise.all(parts.map(async (part) => part.close?.()));
  await stores.close();
  await Promise.all(parts.map(async (part) => part.flush?.()));
  log.flush();
  log.info('stopped');
}

/**
 * Runs the server until a signal ends the process.
 * @throws when it cannot start: store, secret key, widget's files, ports
 */
export async function serve(config: Config, unknownNames: ReturnType<typeof misspelt>): Promise<void> {
  const log = createLog(config.logLevel);
  logUnexpected(log);
  const metrics = createMetrics();
  declareProcess(metrics.registry);
  const stores = await openStores(config, metrics, log);
  const { store, instances, seal, clock } = stores;
  const tracer = createTracer();
  const v1 = createV1Client({
    ...config.upstream,
    ...clock,
    keys: createKeyRing(config.upstream),
    metrics,
    tracer,
    onFailure: (call) => log.report(`service_call_${call.failure.kind}`, call),
  });
  const assets = loadAssets(widgetDir);
  const parts: Part[] = [];
  const limitsFile = join(config.dataDir, 'limits.db');
  const ownScripts = assets.imports;
  const core = createCore(
    { config, store, instances, seal, v1, metrics, tracer, log, ownScripts, limitsFile, ...clock },
    parts,
  );
  await addExtras(core, parts);
  const serviceCheck = createServiceCheck({
    v1,
    record: createServiceRecord(store, config.upstream.url, clock.now),
    log,
    onError: (err) => log.report('service_record_not_stored', { err }),
  });
  declareServiceState(metrics.registry, serviceCheck);
  // As soon as this instance serves pages, browsers may ask other instances for the scripts of these pages.
  await core.scripts.keep().catch((err: unknown) => log.report('scripts_not_stored', { err }));

  await core.lastUse.start();
  if ('dataDir' in config.place)
    watchFiles(store, config.dataDir, () => {
      log.report('store_file_gone');
      process.exit(1);
    });
  let isStopping = false;
  const admin = await listen(
    createAdmin({ store, metrics, serviceCheck, log, isStopping: () => isStopping }).fetch,
    config.adminHost,
    config.adminPort,
  );
  const documentOf = await openDocuments(core, assets);
  const server = await listenToBrowsers(config, createApp(core, assets, documentOf), metrics, log);
  // Sends that the last process left behind are looked up now, and not only after their lease.
  if (stores.wasAlone) {
    await core.ledger.release(stores.enteredAt);
    for (const part of parts) await part.release?.(stores.enteredAt);
  }
  for (const part of parts) await part.start?.();
  await core.worker.start();
  core.housekeeping.start();
  serviceCheck.start();
  for (const code of warningsOf(config)) log.report(code);
  for (const { name, meant } of unknownNames) log.report('setting_unknown', { name, meant });
  log.info('ready', { address: server.address(), admin: admin.address(), public_url: config.publicUrl });

  function onSignal(signal: NodeJS.Signals): void {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping', { signal });
    void stopServer({ core, stores, serviceCheck, servers: [server, admin] });
  }
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
