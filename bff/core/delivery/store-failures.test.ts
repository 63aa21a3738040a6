import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { UnreachableError } from '../store/errors.ts';
import { connectionRefused } from '../../testing/fake-service.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { fillDisk } from '../../testing/store/full-disk.ts';
import { isOnPostgres } from '../../testing/store/test-store.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
let dataDir: string;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'deskside-faults-'));
  bff = await startBff({ dataDir, timeoutMs: 300 });
});
afterEach(() => bff.stop());

/** Locks the store's file as another program would. Throws while the BFF itself writes to it. */
function lockStore() {
  const other = new Database(join(dataDir, 'deskside.db'), { timeout: 0 });
  other.exec('BEGIN EXCLUSIVE');
  return () => other.exec('COMMIT').close();
}

/** Locks the store when the service executes the next send, so that its answer cannot be recorded. */
function lockStoreAtNextWrite() {
  let unlock = () => {};
  bff.service.answer = ({ method }) => {
    if (method !== 'POST') return undefined;
    try {
      unlock = lockStore();
      bff.service.answer = undefined;
      return undefined;
    } catch {
      // The BFF writes to its store at this moment. The call is not executed, and the BFF sends it again later.
      return connectionRefused();
    }
  };
  return () => unlock();
}

const stateOf = async (browser: TestBrowser, key: string) =>
  (await browser.get(paths.operation(key))).data.state as string;

it('on a full disk a ticket is refused as overloaded, and nothing is sent [overload-37]', async () => {
  const freeDisk = await fillDisk(bff.store);
  const refused = await bff.browser().openTicket();
  expect([refused.status, refused.error.code]).toEqual([503, 'overloaded']);
  expect(bff.service.writes()).toEqual([]);
  await freeDisk();
  expect((await bff.browser().openTicket()).status).toBe(201);
});

it('a first ticket whose write gets no answer is refused as overloaded, and its repeat is sent once', async () => {
  const { record } = bff.ledger;
  vi.spyOn(bff.ledger, 'record').mockImplementationOnce(async (...args) => {
    await record(...args);
    throw new UnreachableError(new Error('the connection broke'));
  });
  const [ada, key] = [bff.browser(), randomUUID()];
  const refused = await ada.openTicket({}, key);
  expect([refused.status, refused.error.code]).toEqual([503, 'overloaded']);
  expect((await ada.openTicket({}, key)).error).toBeUndefined();
  await until(async () => expect((await ada.get(paths.operation(key))).data.state).toBe('done'));
  expect((await ada.get(paths.tickets)).data).toHaveLength(1);
  expect(bff.service.tickets.size).toBe(1);
});

it('a delivery that is recorded though the store lost its answer is published', async () => {
  const ada = bff.browser();
  const { move } = bff.ledger;
  vi.spyOn(bff.ledger, 'move').mockImplementationOnce(async (...args) => {
    await move(...args);
    throw new UnreachableError(new Error('the connection broke'));
  });
  const states: string[] = [];
  bff.worker.onChange(({ state }) => void states.push(state));
  expect((await ada.openTicket()).status).toBe(201);
  await until(() => expect(states).toContain('done'));
});

/** On a server, other programs lock less than the whole store. */
describe.skipIf(isOnPostgres)('while another program has locked the file,', () => {
  it('a reply is refused as overloaded, and nothing is sent', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const unlock = await until(lockStore);
    const key = randomUUID();
    const refused = await ada.post(paths.messages(ticket.id), { body: 'Hello?' }, key);
    expect([refused.status, refused.error.code]).toEqual([503, 'overloaded']);
    expect(bff.service.writes()).toHaveLength(1);
    unlock();
    expect((await ada.post(paths.messages(ticket.id), { body: 'Hello?' }, key)).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(2);
  });

  it.each(['ticket', 'message'] as const)(
    'a %s that the service has confirmed while the store fails is answered as sent, and recorded later',
    async (kind) => {
      const ada = bff.browser();
      const { data: ticket } = await ada.openTicket();
      const key = randomUUID();
      const unlock = lockStoreAtNextWrite();
      const send = () =>
        kind === 'ticket'
          ? ada.openTicket({}, key)
          : ada.post(paths.messages(ticket.id), { body: 'Hello?' }, key);
      await until(async () => expect((await send()).data.state).toBe('done'));
      unlock();
      await until(async () => expect(await stateOf(ada, key)).toBe('done'));
      const copies = [...bff.service.tickets.values()].flatMap((each) => [each, ...each.messages]);
      expect(copies).toHaveLength(2);
      expect((await ada.get(paths.tickets)).data).toHaveLength(kind === 'ticket' ? 2 : 1);
    },
  );

  it('a confirmed send stays confirmed though the store fails for longer than a lease [delivery-23]', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    const unlock = lockStoreAtNextWrite();
    await until(async () => expect((await ada.openTicket({}, key)).status).toBe(201));
    bff.clock.offsetMs = 60_000;
    unlock();
    bff.service.answer = ({ method }) => (method === 'GET' ? { statusCode: 500 } : undefined);
    bff.worker.poll();
    await until(async () => expect(await stateOf(ada, key)).toBe('done'));
  });

  it('a confirmed send that no process could record is found by reading [delivery-24]', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    const unlock = lockStoreAtNextWrite();
    await until(async () => expect((await ada.openTicket({}, key)).status).toBe(201));
    await bff.worker.stop();
    unlock();
    expect(await stateOf(ada, key)).toBe('sending');
    bff.clock.offsetMs = 60_000;
    await bff.worker.start();
    await until(async () => expect(await stateOf(ada, key)).toBe('done'));
    expect(bff.service.tickets.size).toBe(1);
  });

  it('a send is tried again when the store failed before its first byte', async () => {
    const ada = bff.browser();
    await bff.worker.stop();
    const key = randomUUID();
    await ada.openTicket({}, key);
    const unlock = await until(lockStore);
    await bff.worker.start();
    await until(() => expect(bff.logLines.join('')).toContain('SQLITE_BUSY'));
    expect(bff.service.writes()).toEqual([]);
    unlock();
    await until(async () => expect(await stateOf(ada, key)).toBe('done'));
    expect(bff.service.writes()).toHaveLength(1);
  });
});
