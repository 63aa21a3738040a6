import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Store } from '../../core/store/open.ts';
import { databaseOf, openTestStore } from '../../testing/store/test-store.ts';
import { until } from '../../testing/streams.ts';
import { type Listener, startListener } from './listener.ts';
import { createChangeLog } from './change-log.ts';

let store: Store;
let listener: Listener;
let heard: number;
beforeEach(async () => {
  const dataDir = randomUUID();
  store = await openTestStore(dataDir);
  heard = 0;
  listener = startListener(await databaseOf(dataDir), () => {
    heard += 1;
  });
  await vi.waitUntil(listener.isListening, { timeout: 60_000 });
});
afterEach(async () => {
  await listener.stop();
  await store.destroy();
});

const notify = () => createChangeLog(store, 'another', Date.now).notify();

it('an instance is woken by the notification of another one', async () => {
  const before = heard;
  await notify();
  await until(() => expect(heard).toBe(before + 1));
});

it('a listener whose connection is ended reconnects, and is woken for what it may have missed', async () => {
  const before = heard;
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'deskside-listener'
    and datname = current_database()`.execute(store);
  await until(() => expect(listener.isListening()).toBe(false));
  await until(() => expect(listener.isListening()).toBe(true));
  expect(heard).toBe(before + 1);
  await notify();
  await until(() => expect(heard).toBe(before + 2));
});
