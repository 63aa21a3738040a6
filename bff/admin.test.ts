import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdmin } from './admin.ts';
import { startBff, type TestBff } from './testing/bff.ts';
import { fillDisk } from './testing/full-disk.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

const admin = (isStopping = false) => createAdmin({ ...bff, now: Date.now, isStopping: () => isStopping });
const ready = async (isStopping = false) => {
  const response = await admin(isStopping).request('/readyz');
  return [response.status, (await response.json()).data];
};

it('is ready while the store answers and nobody has asked it to stop', async () => {
  expect(await ready()).toEqual([200, { ready: true, store: true, api_key: true, not_stopping: true }]);
  expect((await ready(true))[0]).toBe(503);
});

it('is not ready while the service refuses every key, and is again when one is taken', async () => {
  bff.service.answer = () => ({ statusCode: 401 });
  await bff.v1.listTickets();
  expect(await ready()).toEqual([503, expect.objectContaining({ ready: false, api_key: false })]);
  bff.service.answer = undefined;
  await vi.waitFor(async () => expect((await ready())[0]).toBe(200));
});

it('stays not ready while the service cannot be reached after it has refused every key', async () => {
  bff.service.answer = () => ({ statusCode: 401 });
  await bff.v1.listTickets();
  bff.service.answer = () => ({ statusCode: 503 });
  await bff.v1.listTickets();
  expect((await ready())[0]).toBe(503);
});

it('on a full disk is not ready, and says so to Prometheus, until there is room', async () => {
  const metrics = async () => (await admin().request('/metrics')).text();
  expect(await metrics()).toContain('deskside_store_writable 1\n');
  const freeDisk = await fillDisk(bff.store);
  expect(await ready()).toEqual([503, expect.objectContaining({ ready: false, store: false })]);
  expect(await metrics()).toContain('deskside_store_writable 0\n');
  await freeDisk();
  expect((await ready())[0]).toBe(200);
  expect(await bff.store.selectFrom('used_once').selectAll().execute()).toEqual([]);
});

it('tells Prometheus how many sends stand where', async () => {
  await bff.browser().openTicket();
  bff.service.answer = (call) =>
    call.method === 'POST' ? Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }) : undefined;
  await bff.worker.stop();
  await bff.browser().openTicket();
  const text = await (await admin().request('/metrics')).text();
  expect(text).toContain('deskside_operations{kind="ticket",state="done"} 1\n');
  expect(text).toContain('deskside_operations{kind="ticket",state="accepted"} 1\n');
  expect(text).toContain('deskside_operations_undecided 0\n');
  expect(text).toMatch(/^deskside_oldest_undelivered_seconds \d+$/m);
});
