import { Hono } from 'hono';
import type { Store } from './store/open.ts';
import type { V1Client } from './v1/client.ts';

interface AdminDeps {
  store: Store;
  v1: Pick<V1Client, 'isAuthorized'>;
  isStopping: () => boolean;
}

/** The operators' port: alive (the process answers) and ready (the store answers, the API key is good, no stop). */
export function createAdmin({ store, v1, isStopping }: AdminDeps) {
  const hasStore = async () => {
    try {
      await store.selectFrom('seal_check').select('sealed').execute();
      return true;
    } catch {
      return false;
    }
  };
  return new Hono()
    .get('/livez', (c) => c.json({ data: { alive: true } }))
    .get('/readyz', async (c) => {
      const checks = { store: await hasStore(), api_key: v1.isAuthorized(), not_stopping: !isStopping() };
      const ready = Object.values(checks).every(Boolean);
      return c.json({ data: { ready, ...checks } }, ready ? 200 : 503);
    });
}
