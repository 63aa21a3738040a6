import { rm } from 'node:fs/promises';
import { createApp } from '../app.ts';
import type { Part } from '../core/part.ts';
import { createCore } from '../core/wiring.ts';
import { addExtras } from '../extras/index.ts';
import { loadAssets } from '../core/http/files/assets.ts';
import { createLog } from '../core/log/log.ts';
import { createMetrics } from '../core/metrics/metrics.ts';
import { createSeal } from '../core/store/seal.ts';
import { noTracer, type Tracer } from '../core/tracer.ts';
import { createV1Client } from '../core/v1/client.ts';
import { createKeyRing } from '../core/v1/keys.ts';
import { createBrowser } from './browser.ts';
import { testConfig, type TestConfig } from './config.ts';
import { createFakeService } from './fake-service.ts';
import { leaksOf } from './leaks.ts';
import { isOnPostgres, openTestStore } from './store/test-store.ts';
import { makeWidgetFolder } from './widget-folder.ts';

export const testSecretKey = 'a secret of more than thirty-two characters';
export const canaryKey = 'canary-3f9a1c77-api-key';

let madeFolder: string | undefined;
const widgetFolder = () => (madeFolder ??= makeWidgetFolder());

/**
 * Starts a BFF with an in-memory store, unless `dataDir` is given, with its own clock and a fake service. Log lines
 * are kept in `logLines`. Housekeeping is done only when a test calls `housekeep`: a second run at the same time would
 * find the day's share of removals taken.
 */
export async function startBff(
  more: {
    timeoutMs?: number;
    dataDir?: string;
    widgetDir?: string;
    mount?: string;
    /** What takes part besides the extras. */
    parts?: readonly Part[];
    /** Names of extras that are created and not started. */
    notStarted?: readonly string[];
    tracer?: Tracer;
    /** Another BFF with the same service. */
    beside?: { service: ReturnType<typeof createFakeService> };
  } & Partial<TestConfig> = {},
) {
  const {
    timeoutMs = 1_000,
    dataDir,
    widgetDir = widgetFolder(),
    mount,
    parts: moreParts = [],
    notStarted = [],
    tracer: usedTracer,
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
  const tracer = { ...noTracer, ...usedTracer };
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
  const assets = loadAssets(widgetDir);
  const usual = testConfig(timeoutMs);
  const values = { ...usual.values, ...settings.values };
  const config: TestConfig = { ...usual, ...settings, values, ...(dataDir && { dataDir }) };
  const parts: Part[] = [...moreParts];
  const core = createCore(
    {
      config,
      store,
      instances: isOnPostgres ? { store, notifyUrl: null } : null,
      ownScripts: assets.imports,
      seal: createSeal(testSecretKey),
      v1,
      metrics,
      tracer,
      log,
      now,
      elapsed,
      limitsFile: null,
    },
    parts,
  );
  const extras = await addExtras(core, parts);
  const app = createApp(core, assets, { sitePath: mount });
  await core.lastUse.start();
  for (const [name, part] of extras) if (!notStarted.includes(name)) await part.start?.();
  await core.worker.start();

  const users: { stop(): Promise<void> }[] = [];
  return {
    ...core,
    /** The running extras, by name. */
    extras,
    housekeep: core.housekeeping.housekeep,
    app,
    service,
    clock,
    logLines,
    browser: (where?: Parameters<typeof createBrowser>[1]) => createBrowser(app, where),
    /** What must stop before it. */
    users,
    /** @throws when a log line or a metric reveals anything of a customer, or a key */
    async stop() {
      for (const user of users) await user.stop();
      core.live.stop();
      await Promise.all([
        core.worker.stop(),
        core.lastUse.stop(),
        ...parts.map(async (part) => part.stop?.()),
      ]);
      const leaks = await leaksOf({ logLines, metrics, service });
      await Promise.all(parts.map(async (part) => part.close?.()));
      core.limits.close();
      if (!beside) await service.agent.close();
      await store.destroy();
      if (!dataDir) await rm(config.dataDir, { recursive: true, force: true });
      if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
    },
  };
}

export type TestBff = Awaited<ReturnType<typeof startBff>>;
