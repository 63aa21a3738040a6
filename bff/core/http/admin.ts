import { setTimeout as sleep } from 'node:timers/promises';
import { Hono } from 'hono';
import type { Log } from '../log/log.ts';
import { type Metrics, metricsText } from '../metrics/metrics.ts';
import type { Store } from '../store/open.ts';
import { isWritable } from '../store/inspect.ts';
import type { ServiceCheck } from '../v1/service-check.ts';

interface AdminSite {
  /** Undefined for the main site. */
  name?: string | undefined;
  /** Null when it could not be opened. */
  store: Store | null;
  metrics: Pick<Metrics, 'registry'>;
  serviceCheck: Pick<ServiceCheck, 'state' | 'ask'>;
}

interface AdminDeps {
  /** The main site comes first. */
  sites: readonly [AdminSite, ...AdminSite[]];
  log: Log;
  isStopping: () => boolean;
}

const storeProblem = {
  cause: 'store',
  advice: 'The store takes no writes. "deskside check" says why.',
} as const;

/** Less than probes wait, since one store that hangs must not take the other sites away. */
const patienceMs = 500;

/**
 * The operators' port. It reports whether the process is alive, and whether it is ready: no stop was requested, and for
 * one site at least the store takes a write, and the ticket service can be used or is only away for now. A wrong key of
 * one site must not take the others away. It also serves the metrics for Prometheus.
 */
export function createAdmin({ sites, log, isStopping }: AdminDeps) {
  const [main, ...others] = sites;
  const isInTime = (asked: Promise<boolean>) =>
    others.length === 0 ? asked : Promise.race([asked, sleep(patienceMs, false, { ref: false })]);
  async function readiness({ store, serviceCheck }: AdminSite) {
    const { isUsable, problem } = serviceCheck.state();
    // After a repair, the operator need not wait for the next scheduled check.
    if (!isUsable) void serviceCheck.ask();
    const checks = {
      store: store !== null && (await isInTime(isWritable(store))),
      api_key: problem?.cause !== 'key',
      service: isUsable,
      not_stopping: !isStopping(),
    };
    return {
      ready: Object.values(checks).every(Boolean),
      ...checks,
      problem: problem ?? (checks.store ? null : storeProblem),
    };
  }

  return new Hono()
    .onError((err, c) => {
      log.report('admin_failed', { err });
      return c.text('', 500);
    })
    .get('/livez', (c) => c.json({ data: { alive: true } }))
    .get('/readyz', async (c) => {
      const ofMain = await readiness(main);
      const named = await Promise.all(
        others.map(async (site) => [site.name, await readiness(site)] as const),
      );
      const isAnyReady = ofMain.ready || named.some(([, { ready }]) => ready);
      const data = { ...ofMain, ...(named.length > 0 && { sites: Object.fromEntries(named) }) };
      return c.json({ data }, isAnyReady ? 200 : 503);
    })
    .get('/metrics', async (c) => {
      const text = await metricsText(sites);
      return c.text(text, 200, { 'Content-Type': main.metrics.registry.contentType });
    });
}
