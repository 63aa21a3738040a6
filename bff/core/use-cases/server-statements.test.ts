import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { isOnPostgres, isStoreBusy } from '../../testing/store/test-store.ts';
import { untilQuiet } from '../../testing/time.ts';

let bff: TestBff;
let browser: TestBrowser;
let asked: MockInstance<pg.Client['query']>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  asked = vi.spyOn(pg.Client.prototype, 'query');
  bff = await startBff({ watchActiveMs: 600_000, watchIdleMs: 600_000 });
  browser = bff.browser();
  await settled();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await bff.stop();
});

/** Resolves when no statement was sent to the server for a while. */
const settled = () => untilQuiet(isStoreBusy);

/** Statements between instances run independently, on their own connections. */
const isAmongInstances = (text: string) => /instances|interests|outbox|watch_shards|pg_notify/.test(text);

/** The number of round trips that `work` and its consequences take. The begin and end of a transaction count. */
async function roundTripsOf(work: () => Promise<unknown>): Promise<number> {
  asked.mockClear();
  await work();
  await settled();
  return asked.mock.calls.filter(([query]) => !isAmongInstances((query as pg.QueryConfig).text)).length;
}

async function openTicket(): Promise<string> {
  const { status, data } = await browser.openTicket();
  await settled();
  expect(status).toBe(201);
  return paths.messages(data.id);
}

describe.runIf(isOnPostgres)('on PostgreSQL', () => {
  it('a first ticket takes 12 round trips', async () => {
    expect(await roundTripsOf(openTicket)).toBe(12);
  });

  it('a further ticket takes 13 round trips', async () => {
    await openTicket();
    await openTicket();
    expect(await roundTripsOf(openTicket)).toBe(13);
  });

  it('a reply takes 6 round trips', async () => {
    const messages = await openTicket();
    const reply = async () => expect((await browser.post(messages, { body: 'Hello' })).status).toBe(201);
    await reply();
    await settled();
    expect(await roundTripsOf(reply)).toBe(6);
  });
});
