import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import { createApp } from './app.ts';
import { warningsOf } from './config.ts';
import type { Config } from './core/config.ts';
import { AppError, LoggableError } from './core/errors.ts';
import type { AppEnv } from './core/http/context.ts';
import { answerError } from './core/http/errors.ts';
import type { Assets } from './core/http/files/assets.ts';
import { documentsWithSite } from './core/http/files/documents.ts';
import type { Log } from './core/log/log.ts';
import { declareServiceState, declareWritable } from './core/metrics/gauges.ts';
import { createMetrics, type Metrics } from './core/metrics/metrics.ts';
import { explain } from './core/operator/command.ts';
import type { Part } from './core/part.ts';
import { createHoursScript } from './core/site/hours-script.ts';
import { brandIn, createSite } from './core/site/site.ts';
import { checkSeal, openAmongInstances, openStore, type Store } from './core/store/open.ts';
import { clockOf } from './core/store/postgres/server-clock.ts';
import { createSeal } from './core/store/seal.ts';
import { loadSecretKey } from './core/store/secret.ts';
import { enterStore, keepFilesPrivate, watchFiles } from './core/store/sqlite/files.ts';
import { noTracer } from './core/tracer.ts';
import { createV1Client } from './core/v1/client.ts';
import { createKeyRing } from './core/v1/keys.ts';
import { createServiceCheck, type ServiceCheck } from './core/v1/service-check.ts';
import { type Core, createCore } from './core/wiring.ts';
import { addExtras, schema } from './extras/index.ts';
import { sitePath } from './sites.ts';

/*
 * One site of `sites.ts` with all that belongs to it alone: its store, its core and extras, its app, and its work in the
 * background. It knows nothing of the process, its ports and its other sites. (`core/site/` is about something else: what
 * pages say of the support, such as its hours.)
 */

/** What the process needs of a site. */
export interface RunningSite {
  /** Undefined for the main site. */
  name: string | undefined;
  /** Null for a site that could not be opened. */
  store: Store | null;
  metrics: Metrics;
  serviceCheck: Pick<ServiceCheck, 'state' | 'ask'>;
  app: Pick<Hono<AppEnv>, 'fetch'>;
  /** Begins the work in the background. To be called once browsers are served. */
  start(): Promise<void>;
  /**
   * Ends the streams, and the work in the background once sends have had `patienceMs` to end. `closed`: resolves when
   * no request is being answered any more.
   */
  stop(patienceMs: number, closed: Promise<unknown>): Promise<void>;
}

/** Opens the store and what belongs to it: the connections between instances, the seal and the shared clock. */
async function openStores(config: Config, metrics: Metrics, log: Log) {
  const { place } = config;
  const isFile = 'dataDir' in place;
  // SECURITY: must come before the store's first file is created.
  if (isFile) for (const file of keepFilesPrivate(config.dataDir)) log.report('store_file_shared', { file });
  const store = await openStore(place, schema, metrics);
  const opened = [store];
  const closeAll = () => Promise.all(opened.map((each) => each.destroy()));
  try {
    const instanceStore = isFile ? null : await openAmongInstances(place);
    if (instanceStore) opened.push(instanceStore);
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
        await closeAll();
        presence?.leave();
      },
      stopClock,
    };
  } catch (error) {
    // Connections that stay open would keep the process from ending.
    await closeAll();
    throw error;
  }
}

type Stores = Awaited<ReturnType<typeof openStores>>;

/** The documents and the module of the hours, with what the settings and the extras add to them. */
async function openDocuments({ config, parts, now, elapsed }: Core, assets: Assets) {
  const shownAt = await createSite(
    config,
    parts.flatMap(({ site }) => site ?? []),
  );
  const siteOf = shownAt && ((tag: string) => shownAt(tag, now()));
  return {
    documentOf: documentsWithSite(assets, { siteOf, brandOf: (tag) => brandIn(tag, config) }, elapsed),
    hoursScript: createHoursScript(siteOf && (() => siteOf('en')), { now, elapsed }),
  };
}

interface SiteOptions {
  /** Undefined for the main site. */
  name?: string | undefined;
  config: Config;
  assets: Assets;
  metrics: Metrics;
  log: Log;
}

/**
 * Opens the store of a site and creates everything on it. Nothing runs yet.
 * @throws when it cannot start: store, secret key
 */
export async function openSite(options: SiteOptions): Promise<RunningSite> {
  const stores = await openStores(options.config, options.metrics, options.log);
  try {
    return await createSiteOn(stores, options);
  } catch (error) {
    stores.stopClock();
    await stores.close();
    throw error;
  }
}

async function createSiteOn(
  stores: Stores,
  { name, config, assets, metrics, log }: SiteOptions,
): Promise<RunningSite> {
  const { store, instances, seal, clock } = stores;
  const tracer = { ...noTracer };
  const v1 = createV1Client({
    ...config.upstream,
    ...clock,
    keys: createKeyRing(config.upstream),
    metrics,
    tracer,
    onFailure: (call) => log.report(`service_call_${call.failure.kind}`, call),
  });
  const parts: Part[] = [];
  const limitsFile = join(config.dataDir, 'limits.db');
  const { imports: ownScripts } = assets;
  const core = createCore(
    { config, store, instances, seal, v1, metrics, tracer, log, ownScripts, limitsFile, ...clock },
    parts,
  );
  await addExtras(core, parts);
  const serviceCheck = createServiceCheck({
    v1,
    store,
    url: config.upstream.url,
    now: clock.now,
    log,
    onError: (err) => log.report('service_record_not_stored', { err }),
  });
  declareServiceState(metrics.registry, serviceCheck);
  // As soon as this instance serves pages, browsers may ask other instances for the scripts of these pages.
  await core.scripts.keep().catch((err: unknown) => log.report('scripts_not_stored', { err }));

  await core.lastUse.start();
  const documents = await openDocuments(core, assets);
  const onGone = () => {
    log.report('store_file_gone');
    process.exit(1);
  };
  const stopWatching = 'dataDir' in config.place ? watchFiles(store, config.dataDir, onGone) : () => {};
  return {
    name,
    store,
    metrics,
    serviceCheck,
    app: createApp(core, assets, { ...documents, sitePath: name && sitePath(name) }),
    async start() {
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
    },
    async stop(patienceMs, closed) {
      // Streams never end by themselves, and a server does not close while one is open.
      core.live.stop();
      serviceCheck.stop();
      const finished = Promise.all([
        core.worker.stop(),
        core.housekeeping.stop(),
        core.lastUse.stop(),
        ...parts.map(async (part) => part.stop?.()),
      ]);
      await Promise.race([finished, sleep(patienceMs, undefined, { ref: false })]);
      // Sends that have no answer yet are in doubt, and are looked up at the next start.
      await v1.abort();
      await finished;
      await closed;
      core.limits.close();
      stores.stopClock();
      await Promise.all(parts.map(async (part) => part.close?.()));
      // The log of a store is removed when it is closed, and other sites may take longer.
      stopWatching();
      await stores.close();
      await Promise.all(parts.map(async (part) => part.flush?.()));
      log.flush();
    },
  };
}

/** Stands for a site that could not be opened: it answers that it is away. */
function closedSite({ name, log }: Pick<SiteOptions, 'name' | 'log'>, error: unknown): RunningSite {
  log.report('site_not_opened', { err: new LoggableError(explain(error), { cause: error }) });
  const metrics = createMetrics();
  declareWritable(metrics.registry, null);
  return {
    name,
    store: null,
    metrics,
    serviceCheck: { state: () => ({ isUsable: false, problem: null }), ask: async () => {} },
    app: new Hono<AppEnv>().all('*', (c) => answerError(new AppError('overloaded'), c)),
    async start() {},
    async stop() {},
  };
}

const reopenMs = 60_000;

/**
 * Opens a site beside the main one. While its store cannot be opened, it is away and tried again every minute, so that the
 * other sites can be served.
 */
export async function openFurtherSite(options: Omit<SiteOptions, 'metrics'>): Promise<RunningSite> {
  const open = () => openSite({ ...options, metrics: createMetrics() });
  let current: RunningSite = await open().catch((error: unknown) => closedSite(options, error));
  let timer: NodeJS.Timeout | undefined;
  let opening: Promise<void> | undefined;
  let isStopped = false;

  async function reopen(): Promise<void> {
    const opened = await open().catch(() => null);
    if (!opened) return again();
    try {
      if (!isStopped) await opened.start();
      current = opened;
      options.log.info('the site is served now');
    } catch (error) {
      // Two of them must never work on one store.
      await opened.stop(0, Promise.resolve());
      current = closedSite(options, error);
      again();
    }
  }

  function again(): void {
    if (isStopped) return;
    timer = setTimeout(() => void (opening = reopen()), reopenMs);
  }

  return {
    name: options.name,
    get store() {
      return current.store;
    },
    get metrics() {
      return current.metrics;
    },
    get serviceCheck() {
      return current.serviceCheck;
    },
    get app() {
      return current.app;
    },
    async start() {
      await current.start();
      if (current.store === null) again();
    },
    async stop(...given) {
      isStopped = true;
      clearTimeout(timer);
      await opening;
      await current.stop(...given);
    },
  };
}
