import { Hono } from 'hono';
import type { Store } from './store/open.ts';

/** The operators' port: alive (the process answers) and ready (the store does too, and it is not stopping). */
export function createAdmin({ store, isStopping }: { store: Store; isStopping: () => boolean }) {
  return new Hono()
    .get('/livez', (c) => c.json({ data: { alive: true } }))
    .get('/readyz', async (c) => {
      const hasStore = await store
        .selectFrom('sessions')
        .select('id')
        .limit(1)
        .execute()
        .then(() => true)
        .catch(() => false);
      const ready = hasStore && !isStopping();
      return c.json({ data: { ready, store: hasStore, stopping: isStopping() } }, ready ? 200 : 503);
    });
}
