import { Hono } from 'hono';
import { deliveryMetrics } from './delivery/metrics.ts';
import type { Store } from './store/open.ts';
import { isWritable } from './store/writable.ts';
import type { ServiceCheck } from './v1/service-check.ts';

interface AdminDeps {
  store: Store;
  serviceCheck: Pick<ServiceCheck, 'state' | 'ask'>;
  now: () => number;
  isStopping: () => boolean;
}

/**
 * The operators' port: alive (the process answers), ready (the store takes a write, the ticket service can be used or is
 * only away for now, no stop), and what Prometheus reads.
 */
export function createAdmin({ store, serviceCheck, now, isStopping }: AdminDeps) {
  return new Hono()
    .get('/livez', (c) => c.json({ data: { alive: true } }))
    .get('/readyz', async (c) => {
      const { isUsable, problem } = serviceCheck.state();
      // Whoever has mended it need not wait for the next time that it is asked.
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
      c.text(await deliveryMetrics({ store, now }), 200, { 'Content-Type': 'text/plain; version=0.0.4' }),
    );
}
