import { afterEach, beforeEach, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { connectionRefused } from '../../testing/fake-service.ts';
import { valueOf } from '../../testing/metrics.ts';
import { startStreams, until } from '../../testing/streams.ts';
import { createServiceCheck } from '../v1/service-check.ts';
import { declareServiceState } from './gauges.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

const value = async (sample: string) => valueOf(await bff.metrics.registry.metrics(), sample);
const calls = (call: string, outcome: string) =>
  value(`deskside_service_requests_total{call="${call}",outcome="${outcome}"}`);

it('requests to the service are counted and measured by call and outcome', async () => {
  const { data } = (await bff.v1.createTicket({
    subject: 'Lid',
    description: 'Chipped',
    customer_email: 'ada@example.com',
  })) as { data: { id: string } };
  await bff.v1.addMessage(data.id, 'Hello');
  await bff.v1.getTicket(data.id);
  await bff.v1.getTicket('unknown');
  await bff.v1.probe();
  bff.service.answer = () => ({ statusCode: 401 });
  await bff.v1.listTickets();
  bff.service.answer = () => ({ statusCode: 500 });
  await bff.v1.listTickets();
  bff.service.answer = connectionRefused;
  await bff.v1.listTickets();
  expect(await calls('create', 'ok')).toBe(1);
  expect(await calls('reply', 'ok')).toBe(1);
  expect(await calls('read', 'ok')).toBe(1);
  expect(await calls('read', 'refused')).toBe(1);
  expect(await calls('probe', 'ok')).toBe(1);
  expect(await calls('list', 'unauthorized')).toBe(1);
  expect(await calls('list', 'uncertain')).toBe(1);
  expect(await calls('list', 'not_connected')).toBe(1);
  expect(await value('deskside_service_request_duration_seconds_count{call="list"}')).toBe(3);
});

it('the circuit breaker of watches is shown open after several failed reads in a row, until one succeeds', async () => {
  const breaker = () => value('deskside_circuit_breaker_open{calls="watches"}');
  const streams = await startStreams(bff);
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  await streams.listen(ada.cookie, ticket.id);
  expect(await breaker()).toBe(0);
  bff.service.answer = ({ method }) => (method === 'GET' ? connectionRefused() : undefined);
  await until(async () => {
    await bff.live.hint(ticket.id);
    expect(await breaker()).toBe(1);
  });
  bff.service.answer = undefined;
  bff.clock.offsetMs += 10_000;
  await until(async () => {
    await bff.live.hint(ticket.id);
    expect(await breaker()).toBe(0);
  });
});

it('the circuit breaker of deliveries is shown open after several failed sends in a row', async () => {
  const breaker = () => value('deskside_circuit_breaker_open{calls="deliveries"}');
  expect(await breaker()).toBe(0);
  bff.service.answer = connectionRefused;
  for (let n = 0; n < 5; n += 1) void bff.browser().openTicket();
  await until(async () => expect(await breaker()).toBe(1));
});

it('the state of the service is shown with the cause of a problem', async () => {
  const serviceCheck = createServiceCheck({
    v1: bff.v1,
    store: bff.store,
    url: bff.service.url,
    now: bff.now,
    log: bff.log,
    onError: (error) => expect.fail(String(error)),
  });
  declareServiceState(bff.metrics.registry, serviceCheck);
  await serviceCheck.ask();
  expect(await value('deskside_service_usable')).toBe(1);
  expect(await value('deskside_service_problem{cause="key"}')).toBe(0);
  bff.service.answer = () => ({ statusCode: 401 });
  await serviceCheck.ask();
  expect(await value('deskside_service_usable')).toBe(0);
  expect(await value('deskside_service_problem{cause="key"}')).toBe(1);
  expect(await value('deskside_service_problem{cause="outage"}')).toBe(0);
});
