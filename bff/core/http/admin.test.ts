import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAdmin } from './admin.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { gateHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { connectionRefused } from '../../testing/fake-service.ts';
import { fillDisk } from '../../testing/store/full-disk.ts';
import { createServiceCheck, type ServiceCheck } from '../v1/service-check.ts';

let bff: TestBff;
let serviceCheck: ServiceCheck;
beforeEach(async () => {
  bff = await startBff();
  serviceCheck = createServiceCheck({
    v1: bff.v1,
    store: bff.store,
    url: bff.service.url,
    now: bff.now,
    log: bff.log,
    onError: (error) => expect.fail(String(error)),
  });
});
afterEach(() => bff.stop());

const admin = (isStopping = false) =>
  createAdmin({ sites: [{ ...bff, serviceCheck }], log: bff.log, isStopping: () => isStopping });
const ready = async (isStopping = false) => {
  const response = await admin(isStopping).request('/readyz');
  return [response.status, ((await response.json()) as { data?: unknown }).data];
};

it('the server is ready from the first answer of the service until it is asked to stop', async () => {
  const checks = { store: true, api_key: true, not_stopping: true };
  expect(await ready()).toEqual([503, { ready: false, ...checks, service: false, problem: null }]);
  await serviceCheck.ask();
  expect(await ready()).toEqual([200, { ready: true, ...checks, service: true, problem: null }]);
  expect((await ready(true))[0]).toBe(503);
});

it.each([
  ['a wrong key', () => ({ statusCode: 401 }), { api_key: false, problem: { cause: 'key' } }],
  ['a wrong path', () => ({ statusCode: 404 }), { api_key: true, problem: { cause: 'path' } }],
  ['a wrong address', connectionRefused, { api_key: true, problem: { cause: 'address' } }],
])(
  'with %s the server is not ready before the first customer comes, and says what to fix',
  async (_, answer, told) => {
    bff.service.answer = answer;
    await serviceCheck.ask();
    const advice = expect.stringMatching(/SUPPORT_API_(KEY|URL)/);
    expect(await ready()).toEqual([
      503,
      expect.objectContaining({
        ready: false,
        service: false,
        ...told,
        problem: { ...told.problem, advice },
      }),
    ]);
    bff.service.answer = undefined;
    await expect.poll(async () => (await ready())[0]).toBe(200);
  },
);

it('the server stays ready while a service that has answered before is away, and says why sends wait', async () => {
  await serviceCheck.ask();
  bff.service.answer = connectionRefused;
  await serviceCheck.ask();
  expect(await ready()).toEqual([
    200,
    expect.objectContaining({ ready: true, problem: expect.objectContaining({ cause: 'address' }) }),
  ]);
  expect((await bff.browser().openTicket()).status).toBe(202);
});

it('the server is not ready as soon as a call for a customer finds every key refused', async () => {
  await serviceCheck.ask();
  bff.service.answer = () => ({ statusCode: 401 });
  await bff.v1.listTickets();
  expect(await ready()).toEqual([503, expect.objectContaining({ ready: false, api_key: false })]);
});

it('the server stays not ready while the service cannot be reached after it has refused every key', async () => {
  await serviceCheck.ask();
  bff.service.answer = () => ({ statusCode: 401 });
  await bff.v1.listTickets();
  bff.service.answer = () => ({ statusCode: 503 });
  await bff.v1.listTickets();
  expect((await ready())[0]).toBe(503);
});

it('on a full disk the server is not ready, and says so to Prometheus, until there is room [overload-36]', async () => {
  await serviceCheck.ask();
  const metrics = async () => (await admin().request('/metrics')).text();
  expect(await metrics()).toContain('deskside_store_writable 1\n');
  const freeDisk = await fillDisk(bff.store);
  const problem = { cause: 'store', advice: expect.stringContaining('deskside check') };
  expect(await ready()).toEqual([503, expect.objectContaining({ ready: false, store: false, problem })]);
  expect(await metrics()).toContain('deskside_store_writable 0\n');
  await freeDisk();
  expect((await ready())[0]).toBe(200);
  expect(await bff.store.selectFrom('used_once').selectAll().execute()).toEqual([]);
});

it('Prometheus gets the number of sends in each state', async () => {
  await bff.browser().openTicket();
  bff.service.answer = (call) => (call.method === 'POST' ? connectionRefused() : undefined);
  await bff.worker.stop();
  await bff.browser().openTicket();
  const text = await (await admin().request('/metrics')).text();
  expect(text).toContain('deskside_operations{kind="ticket",state="done"} 1\n');
  expect(text).toContain('deskside_operations{kind="ticket",state="accepted"} 1\n');
  expect(text).toContain('deskside_operations_undecided 0\n');
  expect(text).toMatch(/^deskside_oldest_undelivered_seconds\{state="accepted"\} \d+$/m);
});

it('Prometheus gets the number of requests that the gate refused, by reason', async () => {
  const own = { 'Sec-Fetch-Site': 'same-origin', [gateHeader]: '1' };
  const send = (headers: Record<string, string>) =>
    bff.app.request(paths.tickets, { method: 'POST', headers: { ...own, ...headers } });
  await send({ 'Sec-Fetch-Site': 'cross-site' });
  await send({ 'Sec-Fetch-Site': 'cross-site', [gateHeader]: '' });
  await send({ [gateHeader]: '' });
  await send({ 'Content-Type': 'text/plain' });
  const text = await (await admin().request('/metrics')).text();
  expect(text).toContain('deskside_gate_refusals_total{reason="origin"} 2\n');
  expect(text).toContain('deskside_gate_refusals_total{reason="header"} 1\n');
  expect(text).toContain('deskside_gate_refusals_total{reason="content_type"} 1\n');
});

it('Prometheus gets all metrics but those of the store while it cannot be read', async () => {
  vi.spyOn(bff.store, 'selectFrom').mockImplementation(() => {
    throw new Error('broken');
  });
  const text = await (await admin().request('/metrics')).text();
  expect(text).toContain('deskside_streams 0\n');
  expect(text).not.toContain('deskside_sessions');
});

it('a request that fails by a fault of ours is answered with a 500, and the log says why', async () => {
  vi.spyOn(serviceCheck, 'state').mockImplementation(() => {
    throw new Error('broken');
  });
  expect((await admin().request('/readyz')).status).toBe(500);
  expect(bff.logLines.at(-1)).toContain('"code":"admin_failed"');
});

it('with several sites the server is ready while one of them is, and names the metrics of each', async () => {
  await serviceCheck.ask();
  bff.metrics.proofs.inc({ result: 'accepted' });
  const metrics = createMetrics();
  metrics.proofs.inc({ result: 'accepted' }, 2);
  const problem = { cause: 'key' as const, advice: 'Put a valid key there.' };
  const broken = { state: () => ({ isUsable: false, problem }), ask: async () => {} };
  const garden = { name: 'garden', store: bff.store, metrics, serviceCheck: broken };
  const both = createAdmin({
    sites: [{ ...bff, serviceCheck }, garden],
    log: bff.log,
    isStopping: () => false,
  });
  const response = await both.request('/readyz');
  expect([response.status, await response.json()]).toEqual([
    200,
    {
      data: expect.objectContaining({ ready: true, sites: { garden: expect.objectContaining({ problem }) } }),
    },
  ]);
  const text = await (await both.request('/metrics')).text();
  expect(text.match(/^deskside_proofs_total.*$/gm)).toEqual([
    'deskside_proofs_total{result="accepted"} 1',
    'deskside_proofs_total{result="accepted",site="garden"} 2',
  ]);
  expect(text.match(/^# TYPE deskside_proofs_total/gm)).toHaveLength(1);
});

it('with several sites a store that cannot be read hides no metric of the others, nor that it is broken', async () => {
  const other = await startBff();
  const garden = { ...other, name: 'garden', serviceCheck };
  await other.store.destroy();
  const sites = [{ ...bff, serviceCheck }, garden] as const;
  const both = createAdmin({ sites, log: bff.log, isStopping: () => false });
  const text = await (await both.request('/metrics')).text();
  expect(text.match(/^deskside_(store_writable|sessions).*$/gm)).toEqual([
    'deskside_store_writable 1',
    'deskside_store_writable{site="garden"} 0',
    'deskside_sessions 0',
  ]);
  await other.stop();
});

it('with several sites a store that hangs does not hold back the readiness of the others', async () => {
  await serviceCheck.ask();
  const other = await startBff();
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const holding = other.store.transaction().execute(() => held);
  const garden = { ...other, name: 'garden', serviceCheck };
  const both = createAdmin({
    sites: [{ ...bff, serviceCheck }, garden],
    log: bff.log,
    isStopping: () => false,
  });
  const response = await both.request('/readyz');
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { data: { ready: true, sites: { garden: { ready: false, store: false } } } },
  ]);
  release();
  await holding;
  await other.stop();
});
