import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';
import { type Call, connectionRefused, connectionReset } from '../../testing/fake-service.ts';
import { passTime, useFakeTime } from '../../testing/time.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ timeoutMs: 300 });
  useFakeTime();
});
afterEach(async () => {
  vi.useRealTimers();
  await bff.stop();
});

const isWrite = ({ method }: Call) => method === 'POST';
const stateOf = async (browser: ReturnType<TestBff['browser']>, key: string) =>
  (await browser.get(paths.operation(key))).data?.state;

/** Executes a write as the service would, and then loses the answer. */
const commitAndLose = (call: Call) => {
  if (!isWrite(call)) return undefined;
  bff.service.answer = undefined;
  if (call.path.endsWith('/messages'))
    bff.service.addMessage(call.path.split('/')[4]!, 'customer', String(call.body['body']));
  else bff.service.addTicket({ ...call.body });
  return connectionReset();
};

describe('while the service is away', () => {
  it('a ticket waits, is shown as waiting, and is sent once when the service is back', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    bff.service.answer = (call) => (isWrite(call) ? connectionRefused() : undefined);
    const { status, data } = await ada.openTicket({}, key);
    expect([status, data.id, data.state]).toEqual([202, null, 'accepted']);
    expect((await ada.get(paths.tickets)).data).toEqual([
      expect.objectContaining({ id: null, key, subject: ticketBody.subject, state: 'accepted' }),
    ]);
    bff.service.answer = undefined;
    await passTime(90_000);
    expect(await stateOf(ada, key)).toBe('done');
    expect(bff.service.tickets.size).toBe(1);
    expect((await ada.get(paths.tickets)).data).toEqual([expect.objectContaining({ key, state: 'done' })]);
  });

  it('replies wait in their order [delivery-18]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = (call) => (isWrite(call) ? connectionRefused() : undefined);
    for (const body of ['one', 'two', 'three'])
      expect((await ada.post(paths.messages(ticket.id), { body })).status).toBe(202);
    bff.service.answer = undefined;
    await passTime(300_000);
    expect(bff.service.tickets.get(ticket.id)!.messages.map(({ body }) => body)).toEqual([
      'one',
      'two',
      'three',
    ]);
  });

  it.each([
    ['refuses connections', connectionRefused()],
    ['asks for a minute', { statusCode: 429, headers: { 'retry-after': '60' } }],
  ])('and %s, a ticket and replies are answered without a wait', async (_, answer) => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = (call) => (isWrite(call) ? answer : undefined);
    // No time passes, so nothing that waits for a while ever ends.
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] });
    const reply = (body: string) => ada.post(paths.messages(ticket.id), { body });
    const answers = [
      await ada.openTicket(),
      ...(await Promise.all(['one', 'two'].map(reply))),
      await reply('three'),
    ];
    expect(answers.map(({ status, data }) => [status, data.state])).toEqual(
      answers.map(() => [202, 'accepted']),
    );
  });

  it('for long, it is called only now and then, and everything is sent within half a minute once it is back', async () => {
    bff.service.answer = (call) => (isWrite(call) ? connectionRefused() : undefined);
    const sends = Array.from({ length: 40 }, () => bff.browser().openTicket());
    await passTime(6_000);
    expect(new Set((await Promise.all(sends)).map(({ status }) => status))).toEqual(new Set([202]));
    const before = bff.service.writes().length;
    await passTime(600_000);
    const probes = bff.service.writes().length - before;
    expect(probes).toBeGreaterThan(30);
    expect(probes).toBeLessThan(130);
    bff.service.answer = undefined;
    await passTime(36_000);
    expect(bff.service.tickets.size).toBe(40);
  });

  it('a new ticket is tried at once, though others wait', async () => {
    bff.service.answer = (call) => (isWrite(call) ? connectionRefused() : undefined);
    const sends = Array.from({ length: 40 }, () => bff.browser().openTicket());
    await passTime(60_000);
    await Promise.all(sends);
    bff.service.answer = undefined;
    expect((await bff.browser().openTicket()).status).toBe(201);
  });

  it.each([401, 429])('a %i counts as an outage, not as a refusal', async (statusCode) => {
    const ada = bff.browser();
    const key = randomUUID();
    bff.service.answer = (call) =>
      isWrite(call) ? { statusCode, headers: { 'retry-after': '2' } } : undefined;
    const sending = ada.openTicket({}, key);
    await passTime(6_000);
    // An attempt may be in progress at this moment.
    expect(['accepted', 'sending']).toContain((await sending).data.state);
    bff.service.answer = undefined;
    await passTime(120_000);
    expect(await stateOf(ada, key)).toBe('done');
    expect(bff.service.tickets.size).toBe(1);
  });
});

describe('when the answer of the service is lost', () => {
  it('the ticket is found by reading, and not sent again', async () => {
    const ada = bff.browser();
    bff.service.answer = commitAndLose;
    const { status, data } = await ada.openTicket();
    expect([status, data.state]).toEqual([201, 'done']);
    expect(bff.service.writes()).toHaveLength(1);
    expect(data.id).toBe([...bff.service.tickets.keys()][0]);
  });

  it('the ticket is found without the line for agents too', async () => {
    await bff.stop();
    bff = await startBff({ hasFooter: false, timeoutMs: 300 });
    bff.service.answer = commitAndLose;
    const { status, data } = await bff.browser().openTicket();
    expect([status, data.id]).toEqual([201, [...bff.service.tickets.keys()][0]]);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('a ticket with the same text that came another way is not mistaken for it', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    bff.service.answer = (call) => {
      if (!isWrite(call)) return undefined;
      bff.service.answer = undefined;
      bff.service.addTicket({ ...call.body, description: ticketBody.description });
      return connectionReset();
    };
    const sending = ada.openTicket({}, key);
    await passTime(6_000);
    expect((await sending).data).toMatchObject({ id: null, state: 'unknown' });
    await passTime(120_000);
    expect(await stateOf(ada, key)).toBe('unknown');
    expect((await ada.get(paths.tickets)).data).toMatchObject([{ id: null, key }]);
  });

  it('the reply is found by reading, even among equal ones', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await ada.post(paths.messages(ticket.id), { body: 'Hello?' });
    bff.service.answer = commitAndLose;
    const { status, data } = await ada.post(paths.messages(ticket.id), { body: 'Hello?' });
    expect([status, data.state]).toEqual([201, 'done']);
    const ids = bff.service.tickets.get(ticket.id)!.messages.map(({ id }) => id);
    expect(ids).toHaveLength(2);
    expect(data.id).toBe(ids[1]);
  });

  it.each([
    ['a 500 page', { statusCode: 500, data: '<html>' }],
    ['a 201 that is no JSON', { statusCode: 201, data: 'created' }],
    ['a 201 without an id', { statusCode: 201, data: '{"data":{}}' }],
    ['a 200 for a 201', { statusCode: 200, data: '{"data":{"id":"x"}}' }],
    ['a redirect', { statusCode: 302, headers: { location: 'https://evil.test/' } }],
    ['an encoded body', { statusCode: 201, data: 'x', headers: { 'content-encoding': 'gzip' } }],
  ])(
    'a send answered by %s is in doubt, and is sent again only after a read shows it absent and the settle time is over',
    async (_, reply) => {
      const ada = bff.browser();
      const key = randomUUID();
      bff.service.answer = (call) => (isWrite(call) ? reply : undefined);
      const sending = ada.openTicket({}, key);
      await passTime(6_000);
      expect((await sending).data.state).toBe('unknown');
      bff.service.answer = undefined;
      await passTime(300_000);
      expect([await stateOf(ada, key), bff.service.writes().length]).toEqual(['unknown', 1]);
      await passTime(1_500_000);
      expect([await stateOf(ada, key), bff.service.writes().length]).toEqual(['done', 2]);
      expect(bff.service.tickets.size).toBe(1);
    },
  );

  it.each([
    ['a list with an entry that cannot be read', '{"data":[{"subject":"no id"}]}'],
    ['no list at all', '{"data":null}'],
  ])('%s does not prove the ticket absent, so it is not sent again', async (_, data) => {
    const ada = bff.browser();
    const key = randomUUID();
    bff.service.answer = (call) => (isWrite(call) ? connectionReset() : { statusCode: 200, data });
    const sending = ada.openTicket({}, key);
    await passTime(2_000_000);
    await sending;
    expect([await stateOf(ada, key), bff.service.writes().length]).toEqual(['unknown', 1]);
  });

  it.each(['{"data":{"id":"x"}}', '{"data":{"id":"x","messages":[{"body":"no id"}]}}'])(
    'a thread such as %s does not prove the reply absent, so it is not sent again',
    async (data) => {
      const ada = bff.browser();
      const { data: ticket } = await ada.openTicket();
      const key = randomUUID();
      bff.service.answer = (call) => (isWrite(call) ? connectionReset() : { statusCode: 200, data });
      const sending = ada.post(paths.messages(ticket.id), { body: 'Hello?' }, key);
      await passTime(2_000_000);
      await sending;
      expect([await stateOf(ada, key), bff.service.writes().length]).toEqual(['unknown', 2]);
    },
  );

  it('the ticket is found though one of its lines was quoted and the ref is left out', async () => {
    await bff.stop();
    bff = await startBff({ hasFooter: false, timeoutMs: 300 });
    bff.service.answer = commitAndLose;
    const { status, data } = await bff
      .browser()
      .openTicket({ description: 'Hi\nDeskside: where is my ref?' });
    expect([status, data.state]).toEqual([201, 'done']);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('“Send again” reads first, and does not send while it cannot read', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    bff.service.answer = (call) => (isWrite(call) ? connectionReset() : undefined);
    const sending = ada.openTicket({}, key);
    await passTime(6_000);
    await sending;
    expect((await ada.request('POST', paths.retry(key), {})).error.code).toBe('operation_in_progress');
    await bff.store.updateTable('operations').set({ due_at: null }).execute();
    bff.service.answer = () => ({ statusCode: 500 });
    expect((await ada.request('POST', paths.retry(key), {})).error.code).toBe('upstream_unavailable');
    expect(bff.service.writes()).toHaveLength(1);
    bff.service.answer = undefined;
    bff.service.addTicket({ ...bff.service.writes()[0]!.body });
    expect((await ada.request('POST', paths.retry(key), {})).data.state).toBe('done');
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('the reply is not taken for absent though our clock was set back meanwhile', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const key = randomUUID();
    const { id } = (await ada.get(paths.tickets)).data[0];
    bff.service.answer = (call) => {
      const lost = commitAndLose(call);
      if (lost) bff.clock.setAheadMs = -3_600_000;
      return lost;
    };
    const serviceNow = vi.spyOn(bff.service, 'now').mockImplementation(() => Date.now());
    const sending = ada.post(paths.messages(id), { body: 'Hello?' }, key);
    await passTime(6_000);
    expect((await sending).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(2);
    serviceNow.mockRestore();
  });

  it('the customer decides once the list no longer reaches back to the attempt', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    bff.service.answer = (call) => (isWrite(call) ? connectionReset() : undefined);
    const sending = ada.openTicket({}, key);
    await passTime(6_000);
    await sending;
    for (let i = 0; i < 50; i += 1) bff.service.addTicket();
    bff.service.answer = undefined;
    await passTime(2_000_000);
    expect((await ada.get(paths.operation(key))).data).toMatchObject({ state: 'unknown', can_retry: true });
    expect(bff.service.writes()).toHaveLength(1);
    await ada.request('POST', paths.retry(key), {});
    await passTime(1_000);
    expect(await stateOf(ada, key)).toBe('done');
  });
});

it('a refusal is final, and its error stays the same', async () => {
  const ada = bff.browser();
  await ada.openTicket();
  const key = randomUUID();
  bff.service.answer = (call) =>
    isWrite(call) ? { statusCode: 422, data: '{"error":"internal words"}' } : undefined;
  for (const answer of [await ada.openTicket({}, key), await ada.openTicket({}, key)]) {
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.text).not.toContain('internal words');
  }
  expect(bff.service.writes()).toHaveLength(2);
});

it('a send in progress when the process ended is looked up at the next start', async () => {
  const ada = bff.browser();
  const key = randomUUID();
  bff.service.answer = commitAndLose;
  await ada.openTicket({}, key);
  const set = {
    state: 'sending',
    upstream_id: null,
    ticket_id: null,
    due_at: null,
    finished_at: null,
  } as const;
  await bff.store.deleteFrom('grants').execute();
  await bff.store.updateTable('operations').set(set).execute();
  await bff.worker.stop();
  await bff.worker.start();
  await passTime(2_000);
  expect(await stateOf(ada, key)).toBe('done');
  expect(bff.service.writes()).toHaveLength(1);
  expect((await ada.get(paths.tickets)).data).toHaveLength(1);
});

it('texts of delivered sends are erased after a day, and those of waiting sends are kept [storage-7]', async () => {
  const ada = bff.browser();
  await ada.openTicket();
  bff.clock.offsetMs = 25 * 3_600_000;
  await bff.housekeep(new AbortController().signal);
  const rows = await bff.store.selectFrom('operations').select('payload_sealed').execute();
  expect(rows).toEqual([{ payload_sealed: null }]);
});

it('a reply that matches two messages is recorded as one of them, and counted as ambiguous', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  bff.service.answer = (call) => {
    if (isWrite(call)) bff.service.addMessage(ticket.id, 'customer', 'Hello?');
    return commitAndLose(call);
  };
  expect((await ada.post(paths.messages(ticket.id), { body: 'Hello?' })).status).toBe(201);
  expect(await bff.metrics.registry.metrics()).toContain('deskside_operations_ambiguous 1\n');
});

it('a send that fails with an internal error waits, while others continue', async () => {
  const ada = bff.browser();
  const key = randomUUID();
  bff.service.answer = (call) => (isWrite(call) ? connectionRefused() : undefined);
  const broken = vi.spyOn(bff.ledger, 'claim').mockRejectedValueOnce(new Error('broken'));
  const sending = ada.openTicket({}, key);
  await passTime(200);
  bff.service.answer = undefined;
  while (broken.mock.calls.length === 0) await passTime(100);
  expect((await bff.browser().openTicket()).status).toBe(201);
  await passTime(5_000);
  await sending;
  expect(await stateOf(ada, key)).toBe('done');
  expect(broken.mock.calls.filter(([row]) => row.key === key)).toHaveLength(2);
});

it('a stop answers the waiting requests with the current state of their sends', async () => {
  const ada = bff.browser();
  bff.service.answer = (call) => (isWrite(call) ? connectionRefused() : undefined);
  const sending = ada.openTicket();
  await passTime(200);
  await bff.worker.stop();
  const { status, data } = await sending;
  expect([status, data.state]).toEqual([202, 'accepted']);
});

it.each([
  ['of a text that is short in every way to count', 400, 'x'.repeat(1_000), 'invalid_request'],
  ['of a text that is too long in bytes', 400, '日'.repeat(7_000), 'payload_too_large'],
  ['of a text that is too long in bytes', 422, '日'.repeat(7_000), 'payload_too_large'],
  ['as too large, whatever its text', 413, 'Hello', 'payload_too_large'],
])('a refusal %s (%d) is reported with its own error', async (_, statusCode, description, code) => {
  const ada = bff.browser();
  bff.service.answer = (call) => (isWrite(call) ? { statusCode, data: '{}' } : undefined);
  expect((await ada.openTicket({ description })).error.code).toBe(code);
});
