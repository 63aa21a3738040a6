import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../../../scripts/trace-collector.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { expectNothingPersonal, personalDataSettings, usePersonalData } from '../../testing/personal-data.ts';
import { startStreams, until } from '../../testing/streams.ts';
import { createOpenTelemetry } from './open-telemetry.ts';
import { version } from '../../build.ts';
import { noTracer } from '../../core/tracer.ts';

const onFailure = vi.fn<(reason: string) => void>();
const stranger = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const traceparent = `00-${stranger.traceId}-${stranger.spanId}-01`;

let collector: TraceCollector;
let tracing: ReturnType<typeof createOpenTelemetry>;
let bff: TestBff;

beforeEach(async () => {
  onFailure.mockClear();
  collector = await startTraceCollector();
});
afterEach(async () => {
  await bff.stop();
  await tracing.stop();
  await collector.stop();
});

async function start(more: { sampleRatio?: number } & Parameters<typeof startBff>[0] = {}) {
  const { sampleRatio = 1, ...settings } = more;
  tracing = createOpenTelemetry(
    {
      endpoint: collector.url,
      headers: { authorization: 'Bearer abc' },
      serviceName: 'support',
      sampleRatio,
    },
    onFailure,
  );
  bff = await startBff({ tracer: tracing.tracer, ...settings });
}

/** All spans that were sent so far, by name. */
async function sent() {
  await bff.worker.stop();
  await tracing.stop();
  const spans = collector.spans();
  const all = (name: string) => spans.filter((span) => span.name === name);
  return { spans, all, one: (name: string) => all(name)[0]! };
}

describe('a new ticket', () => {
  it('is one trace: the request, the delivery in it, and the call in that', async () => {
    await start();
    await bff.browser().openTicket();
    const { spans, one } = await sent();
    const request = one(`POST ${paths.tickets}`);
    const delivery = one('delivery send');
    const call = one('service create');
    expect(spans).toHaveLength(3);
    expect(request).toMatchObject({
      kind: 2,
      attributes: {
        'http.request.method': 'POST',
        'http.route': paths.tickets,
        'http.response.status_code': 201,
      },
    });
    expect(request.parentSpanId).toBeUndefined();
    expect(delivery).toMatchObject({
      traceId: request.traceId,
      parentSpanId: request.spanId,
      attributes: {
        'deskside.operation.kind': 'ticket',
        'deskside.operation.attempts': 0,
        'deskside.outcome': 'done',
      },
    });
    expect(call).toMatchObject({
      kind: 3,
      traceId: request.traceId,
      parentSpanId: delivery.spanId,
      attributes: { 'deskside.call': 'create', 'deskside.outcome': 'ok', 'http.request.method': 'POST' },
    });
    expect(collector.resources()[0]).toEqual({
      'service.name': 'support',
      'service.version': version,
    });
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer abc' });
  });

  it('is sent to the service with the trace of its call', async () => {
    await start();
    await bff.browser().openTicket();
    const { one } = await sent();
    const { traceId, spanId } = one('service create');
    expect(bff.service.writes()[0]!.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
  });

  it('that is delivered after its request has ended is a trace of its own, linked to the request', async () => {
    await start();
    await bff.worker.stop();
    await bff.browser().openTicket();
    await bff.worker.start();
    await until(() => expect(bff.service.writes()).toHaveLength(1));
    const { one } = await sent();
    const request = one(`POST ${paths.tickets}`);
    const delivery = one('delivery send');
    expect(delivery.parentSpanId).toBeUndefined();
    expect(delivery.traceId).not.toBe(request.traceId);
    expect(delivery.links).toMatchObject([{ traceId: request.traceId, spanId: request.spanId }]);
    expect(one('service create').traceId).toBe(delivery.traceId);
  });
});

it('a refused request has the code of its error, and is not marked as failed', async () => {
  await start();
  await bff.browser().get(paths.ticket('unknown'));
  const { one } = await sent();
  const { attributes, status } = one(`GET ${paths.tickets}/:id`);
  expect(attributes).toMatchObject({
    'http.response.status_code': 401,
    'deskside.error.code': 'unauthenticated',
  });
  expect([attributes['error.type'], status.code]).toEqual([undefined, 0]);
});

it('a failed request and a failed call are marked with their error', async () => {
  await start();
  const ada = bff.browser();
  const { data } = await ada.openTicket();
  bff.service.answer = () => ({ statusCode: 503 });
  bff.clock.offsetMs += 60_000;
  await ada.get(paths.ticket(data.id));
  vi.spyOn(bff.sessions, 'authenticate').mockRejectedValueOnce(new Error('the lid of Ada'));
  await ada.get(paths.tickets);
  const { one, spans } = await sent();
  expect(one('service read')).toMatchObject({
    status: { code: 2 },
    attributes: { 'deskside.outcome': 'uncertain', 'error.type': 'uncertain' },
  });
  expect(spans.find(({ attributes }) => attributes['http.response.status_code'] === 500)).toMatchObject({
    status: { code: 2 },
    attributes: { 'error.type': 'internal' },
  });
  expect(collector.payloads.join('')).not.toContain('the lid of Ada');
});

it('reads of a stream after its request has ended are not part of that request', async () => {
  await start();
  const streams = await startStreams(bff);
  const ada = bff.browser();
  const { data } = await ada.openTicket();
  await streams.listen(ada.cookie, data.id);
  const reads = () => bff.service.calls.filter(({ method }) => method === 'GET').length;
  await until(() => expect(reads()).toBeGreaterThan(3));
  await streams.stop();
  const { one, all } = await sent();
  const { traceId } = one(`GET ${paths.events}`);
  expect(all('service read').filter((read) => read.traceId !== traceId).length).toBeGreaterThan(1);
  expect(all('service read').at(-1)!.parentSpanId).toBeUndefined();
});

describe('the traceparent of a request', () => {
  const ask = () => bff.browser().request('GET', paths.session, undefined, { traceparent });

  it('that came through a proxy is linked, and the trace is still our own [traces-2]', async () => {
    await start();
    await ask();
    const { spans } = await sent();
    expect(spans[0]!.links).toMatchObject([stranger]);
    expect(spans[0]!.traceId).not.toBe(stranger.traceId);
    expect(spans[0]!.parentSpanId).toBeUndefined();
  });

  it('is ignored where no proxy is trusted', async () => {
    await start({ trustedProxies: 0 });
    await ask();
    const { spans } = await sent();
    expect(spans[0]!.links).toEqual([]);
  });

  it.each(['ada@example.com', `00-${'0'.repeat(32)}-${stranger.spanId}-01`, `${traceparent}-more`])(
    'with the value %s is ignored',
    async (value) => {
      await start();
      await bff.browser().request('GET', paths.session, undefined, { traceparent: value });
      const { spans } = await sent();
      expect(spans[0]!.links).toEqual([]);
    },
  );

  it('cannot force a recording, and the service learns that the request is not recorded [traces-3]', async () => {
    await start({ sampleRatio: 0 });
    await bff.browser().request('POST', paths.tickets, {}, { traceparent });
    await bff.browser().openTicket();
    expect(bff.service.writes()[0]!.headers['traceparent']).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
    const { spans } = await sent();
    expect(spans).toEqual([]);
  });
});

it('no span reveals a customer, their text, an id, a token, an origin or a key [traces-1]', async () => {
  await start(personalDataSettings);
  const secrets = await usePersonalData(bff);
  const { spans } = await sent();
  const names = new Set(spans.map(({ name }) => name));
  for (const name of ['POST /hooks/tickets/:secret', 'POST /api/tickets/:id/messages', 'HTTP /api/*'])
    expect(names).toContain(name);
  const ids = new Set(['traceId', 'spanId', 'parentSpanId']);
  const withoutIds = collector.payloads.map((payload) =>
    JSON.stringify(JSON.parse(payload), (key, value: unknown) => (ids.has(key) ? '' : value)),
  );
  expectNothingPersonal(withoutIds.join('\n'), secrets);
});

describe('with a collector that does not answer,', () => {
  it('requests succeed, and one line is logged', async () => {
    await collector.stop();
    await start();
    expect((await bff.browser().openTicket()).status).toBe(201);
    // More than one batch.
    for (let n = 0; n < 600; n += 1)
      await tracing.tracer.span({ name: 'work', kind: 'internal' }, async () => {});
    await bff.worker.stop();
    await tracing.stop();
    expect(onFailure.mock.calls).toEqual([['ECONNREFUSED']]);
  });

  it('the process ends without delay', async () => {
    await collector.stop();
    collector = await startTraceCollector({ answers: false });
    await start();
    expect((await bff.browser().openTicket()).status).toBe(201);
    await tracing.stop();
    await until(() => expect(onFailure).toHaveBeenCalledOnce());
  });
});

it('without a tracer the service gets no traceparent', async () => {
  await start({ tracer: noTracer });
  await bff.browser().request('POST', paths.tickets, {}, { traceparent });
  await bff.browser().openTicket();
  expect(bff.service.writes()[0]!.headers).not.toHaveProperty('traceparent');
});
