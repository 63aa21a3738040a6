import { Hono } from 'hono';
import { deliveryMetrics } from './delivery/metrics.ts';
import type { Store } from './store/open.ts';
import { isWritable } from './store/writable.ts';
import type { V1Client } from './v1/client.ts';

interface AdminDeps {
  store: Store;
  v1: Pick<V1Client, 'isAuthorized' | 'listTickets'>;
  now: () => number;
  isStopping: () => boolean;
}

/**
 * The operators' port: alive (the process answers), ready (the store takes a write, the API key is not refused, no
 * stop), and what Prometheus reads.
 */
export function createAdmin({ store, v1, now, isStopping }: AdminDeps) {
  let isAsking = false;

  /** Without traffic nobody else would find out that the key is good again. */
  async function askForKey(): Promise<void> {
    if (isAsking || v1.isAuthorized() === true) return;
    isAsking = true;
    await v1.listTickets();
    isAsking = false;
  }

  return new Hono()
    .get('/livez', (c) => c.json({ data: { alive: true } }))
    .get('/readyz', async (c) => {
      void askForKey();
      const checks = {
        store: await isWritable(store),
        api_key: v1.isAuthorized() !== false,
        not_stopping: !isStopping(),
      };
      const ready = Object.values(checks).every(Boolean);
      return c.json({ data: { ready, ...checks } }, ready ? 200 : 503);
    })
    .get('/metrics', async (c) =>
      c.text(await deliveryMetrics({ store, now }), 200, { 'Content-Type': 'text/plain; version=0.0.4' }),
    );
}
