import { createApp } from '../app.ts';
import { openArticles } from '../articles/articles.ts';
import { createVotes } from '../articles/votes.ts';
import { createDeps } from '../deps.ts';
import { loadAssets } from '../http/files/assets.ts';
import { createLog } from '../log/log.ts';
import { openMailer } from '../mail/open-mailer.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createSeal } from '../store/seal.ts';
import { noTracer, type Tracer } from '../tracing/tracer.ts';
import { createV1Client } from '../v1/client.ts';
import { createKeyRing } from '../v1/keys.ts';
import { createBrowser } from './browser.ts';
import { testConfig, type TestConfig } from './config.ts';
import { createFakeService } from './fake-service.ts';
import { leaksOf } from './leaks.ts';
import { openTestStore } from './store/test-store.ts';
import { makeWidgetFolder } from './widget-folder.ts';

export const testSecretKey = 'a secret of more than thirty-two characters';
export const canaryKey = 'canary-3f9a1c77-api-key';

let madeFolder: string | undefined;
const widgetFolder = () => (madeFolder ??= makeWidgetFolder());

/**
 * Starts a BFF with an in-memory store, unless `dataDir` is given, with its own clock and a fake service. Log lines
 * are kept in `logLines`.
 */
export async function startBff(
  more: {
    timeoutMs?: number;
    dataDir?: string;
    /** A folder of articles. */
    articlesDir?: string;
    widgetDir?: string;
    tracer?: Tracer;
    /** Another BFF with the same service. */
    beside?: { service: ReturnType<typeof createFakeService> };
  } & Partial<TestConfig> = {},
) {
  const {
    timeoutMs = 1_000,
    dataDir,
    articlesDir,
    widgetDir = widgetFolder(),
    tracer = noTracer,
    beside,
    ...settings
  } = more;
  const clock = {
    /** How far both clocks are ahead of real time. */
    offsetMs: 0,
    /** How far the wall clock alone was set ahead or back. */
    setAheadMs: 0,
  };
  const now = () => Date.now() + clock.offsetMs + clock.setAheadMs;
  // With a fraction, like that of the system.
  const elapsed = () => Date.now() + clock.offsetMs + 0.25;
  const service = beside?.service ?? createFakeService({ now });
  const metrics = createMetrics();
  const store = await openTestStore(dataDir, metrics);
  const logLines: string[] = [];
  const v1 = createV1Client({
    url: service.url,
    keys: createKeyRing({ keys: [canaryKey], keyFile: undefined }),
    timeoutMs,
    dispatcher: service.agent,
    metrics,
    tracer,
    now,
    elapsed,
  });
  const log = createLog('trace', { write: (line) => logLines.push(line) });
  const articles = articlesDir
    ? await openArticles({ dir: articlesDir, votes: createVotes({ store, now }), log, elapsed })
    : null;
  const assets = loadAssets(widgetDir);
  const config: TestConfig = { ...testConfig(timeoutMs), ...settings };
  const deps = createDeps({
    config,
    store,
    articles,
    mailer: await openMailer(config, log),
    ownScripts: assets.imports,
    seal: createSeal(testSecretKey),
    v1,
    metrics,
    tracer,
    log,
    now,
    elapsed,
    limitsFile: null,
  });
  const app = createApp(deps, assets);
  await deps.instances.start();
  await deps.worker.start();
  deps.chores.start();

  return {
    ...deps,
    app,
    service,
    clock,
    logLines,
    browser: (where?: Parameters<typeof createBrowser>[1]) => createBrowser(app, where),
    /** @throws when a log line or a metric reveals anything of a customer, or a key */
    async stop() {
      deps.live.stop();
      deps.history.stop();
      await Promise.all([
        deps.worker.stop(),
        deps.chores.stop(),
        deps.notices.job?.stop(),
        deps.history.settled(),
      ]);
      const leaks = await leaksOf({ logLines, metrics, service });
      await deps.instances.stop();
      deps.limits.close();
      if (!beside) await service.agent.close();
      await store.destroy();
      if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
    },
  };
}

export type TestBff = Awaited<ReturnType<typeof startBff>>;
