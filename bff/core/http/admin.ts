import { Hono } from 'hono';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Store } from '../store/open.ts';
import { isWritable } from '../store/writable.ts';
import type { ServiceCheck } from '../v1/service-check.ts';

interface AdminDeps {
  store: Store;
  metrics: Pick<Metrics, 'registry'>;
  serviceCheck: Pick<ServiceCheck, 'state' | 'ask'>;
  log: Log;
  isStopping: () => boolean;
}

/**
 * The operators' port. It reports whether the process is alive, and whether it is ready: the store takes a write, the
 * ticket service can be used or is only away for now, and no stop was requested. It also serves the metrics for
 * Prometheus.
 */
export function createAdmin({ store, metrics, serviceCheck, log, isStopping }: AdminDeps) {
  return new Hono()
    .onError((err, c) => {
      log.report('admin_failed', { err });
      return c.text('', 500);
    })
    .get('/livez', (c) => c.json({ data: { alive: true } }))
    .get('/readyz', async (c) => {
      const { isUsable, problem } = serviceCheck.state();
      // After a repair, the operator need not wait for the next scheduled check.
      if (!isUsable) void serviceCheck.ask();
      const checks = {
        store: await isWritable(store),
        api_key: problem?.cause !== 'key',
        service: isUsable,
        not_stopping: !isStopping(),
      };
      const ready = Object.values(checks).every(Boolean);
      return c.json({ data: { ready, ...checks, problem } }, ready ? 200 : 503);
    })
    .get('/metrics', async (c) =>
      c.text(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType }),
    );
}
