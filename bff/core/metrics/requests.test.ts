import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, expect, it } from 'vitest';
import { idempotencyHeader, paths, proofHeader } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { usualLimits } from '../../testing/operator/limits.ts';
import { valueOf } from '../../testing/metrics.ts';
import { startStreams } from '../../testing/streams.ts';

let bff: TestBff;
afterEach(() => bff.stop());

const value = async (sample: string) => valueOf(await bff.metrics.registry.metrics(), sample);
const requests = (route: string, method: string, code: number) =>
  value(`deskside_http_requests_total{route="${route}",method="${method}",code="${code}"}`);

it('requests are counted by the pattern of their route, method and status code', async () => {
  bff = await startBff();
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  await ada.get(paths.ticket(ticket.id));
  await ada.get(paths.ticket(randomUUID()));
  expect(await requests('/api/tickets', 'POST', 201)).toBe(1);
  expect(await requests('/api/tickets/:id', 'GET', 200)).toBe(1);
  expect(await requests('/api/tickets/:id', 'GET', 404)).toBe(1);
  expect(
    await value('deskside_http_request_duration_seconds_count{route="/api/tickets/:id",method="GET"}'),
  ).toBe(2);
});

it('requests with unknown paths and methods are counted under fixed labels', async () => {
  bff = await startBff();
  await bff.browser().get(`/${randomUUID()}`);
  await bff.browser().get(`/api/${randomUUID()}`);
  await bff.app.request('/widget.js', { method: 'PROPFIND' });
  expect(await requests('/*', 'GET', 404)).toBe(1);
  expect(await requests('/api/*', 'GET', 404)).toBe(1);
  expect(await requests('/*', 'other', 404)).toBe(1);
});

it('a request that the gate refuses is counted under its route', async () => {
  bff = await startBff();
  await bff.app.request(paths.session);
  expect(await requests('/api/session', 'GET', 403)).toBe(1);
});

it('a stream is measured until its first event, apart from other requests', async () => {
  bff = await startBff();
  const streams = await startStreams(bff);
  const ada = bff.browser();
  await ada.openTicket();
  await streams.listen(ada.cookie);
  expect((await streams.listen('')).status).toBe(401);
  expect(await value('deskside_stream_opening_seconds_count')).toBe(1);
  expect(await value('deskside_http_request_duration_seconds_count{route="/api/events",method="GET"}')).toBe(
    1,
  );
});

it('refusals are counted by the name of the limit', async () => {
  bff = await startBff({ limits: { ...usualLimits, requestsPerIp: 1, streamsPerIp: 0 } });
  const streams = await startStreams(bff);
  const ada = bff.browser();
  await ada.openTicket();
  await ada.get(paths.session);
  await streams.listen(ada.cookie);
  expect(await value('deskside_limit_refusals_total{limit="requests-ip"}')).toBe(1);
  expect(await value('deskside_limit_refusals_total{limit="streams-ip"}')).toBe(1);
});

it('proofs of work are counted when asked for, passed and failed', async () => {
  bff = await startBff({ pow: 'on' });
  const ada = bff.browser();
  const open = (proof: string) =>
    ada.request('POST', paths.tickets, ticketBody, {
      [idempotencyHeader]: randomUUID(),
      [proofHeader]: proof,
    });
  const { error } = await ada.openTicket();
  const solution = await solveChallenge({ challenge: error.challenge, deriveKey });
  await open(Buffer.from(JSON.stringify({ challenge: error.challenge, solution })).toString('base64'));
  await open('wrong');
  expect(await value('deskside_proofs_total{result="asked"}')).toBe(2);
  expect(await value('deskside_proofs_total{result="passed"}')).toBe(1);
  expect(await value('deskside_proofs_total{result="failed"}')).toBe(1);
});
