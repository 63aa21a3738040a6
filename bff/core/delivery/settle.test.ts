import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { type Call, connectionReset, type FakeMessage } from '../../testing/fake-service.ts';
import { passTime, useFakeTime } from '../../testing/time.ts';

let bff: TestBff;
let ada: TestBrowser;
let ticketId: string;

async function start(settings: Parameters<typeof startBff>[0] = {}, description = 'It is chipped.') {
  bff = await startBff({ timeoutMs: 300, ...settings });
  ada = bff.browser();
  ticketId = (await ada.openTicket({ description })).data.id;
}
beforeEach(() => {
  useFakeTime();
});
afterEach(async () => {
  vi.useRealTimers();
  await bff.stop();
});

const isReply = ({ method, path }: Call) => method === 'POST' && path.endsWith('/messages');
const replies = () => bff.service.calls.filter(isReply);

/** Sends a reply whose answer is lost. `commit` writes what the service then has of it. */
async function replyAndLose(body: string, commit: (body: string) => void) {
  const key = randomUUID();
  bff.service.answer = (call) => {
    if (!isReply(call)) return undefined;
    bff.service.answer = undefined;
    commit(String(call.body['body']));
    return connectionReset();
  };
  const sending = ada.post(paths.messages(ticketId), { body }, key);
  await passTime(6_000);
  const { status } = await sending;
  return { key, status };
}

const commit = (body: string): FakeMessage => bff.service.addMessage(ticketId, 'customer', body);
const operation = async (key: string) => (await ada.get(paths.operation(key))).data;
const longAfterMs = 1_500_000;

describe('a reply in doubt', () => {
  it('is found though our clock was set ahead before it', async () => {
    await start();
    vi.spyOn(bff.service, 'now').mockImplementation(() => Date.now());
    bff.clock.setAheadMs = 60_000;
    expect((await replyAndLose('Hello?', commit)).status).toBe(201);
    expect(replies()).toHaveLength(1);
  });

  it('that seems older than its attempt is left to the customer, and not sent twice', async () => {
    await start();
    const { key } = await replyAndLose('Hello?', (body) => {
      commit(body).created_at = new Date(Date.now() - 8_000).toISOString();
    });
    await passTime(longAfterMs);
    expect(await operation(key)).toMatchObject({ state: 'unknown', can_retry: true });
    expect(replies()).toHaveLength(1);
  });

  it('that seems older than its attempt is found when its customer asks for it again, and not sent twice', async () => {
    await start();
    const { key } = await replyAndLose('Hello?', (body) => {
      commit(body).created_at = new Date(Date.now() - 8_000).toISOString();
    });
    await passTime(longAfterMs);
    await ada.post(paths.retry(key), {});
    await passTime(60_000);
    expect(await operation(key)).toMatchObject({ state: 'done' });
    expect(replies()).toHaveLength(1);
  });

  it('is found under other line breaks, as an earlier version has sent them', async () => {
    await start();
    const { status } = await replyAndLose('one\ntwo', () => commit('one\u2028two\u0007'));
    expect(status).toBe(201);
    expect(replies()).toHaveLength(1);
  });

  it('is not mistaken for the description that the service repeats', async () => {
    await start({ hasFooter: false }, 'Hello?');
    commit('Hello?');
    const { key } = await replyAndLose('Hello?', () => {});
    await passTime(longAfterMs);
    expect(await operation(key)).toMatchObject({ state: 'unknown', can_retry: true });
  });
});

describe('a ticket in doubt, while a few long texts make the list too large for one read,', () => {
  const fill = (count: number, ageMs = 0) => {
    const created_at = new Date(Date.now() - ageMs).toISOString();
    for (let n = 0; n < count; n += 1)
      bff.service.addTicket({ description: '\u0001'.repeat(20_000), created_at });
  };
  const isTicket = ({ method, path }: Call) => method === 'POST' && !path.endsWith('/messages');
  const openAndLose = async (commitTicket: (fields: object) => void) => {
    const key = randomUUID();
    bff.service.answer = (call) => {
      if (!isTicket(call)) return undefined;
      bff.service.answer = undefined;
      commitTicket(call.body);
      return connectionReset();
    };
    const sending = ada.openTicket({}, key);
    await passTime(6_000);
    await sending;
    return key;
  };

  it('is found in the part that can be read', async () => {
    await start();
    fill(36);
    const key = await openAndLose((fields) => void bff.service.addTicket({ ...fields }));
    expect(await operation(key)).toMatchObject({ state: 'done' });
    expect(bff.service.calls.filter(isTicket)).toHaveLength(2);
  });

  it('is absent where that part reaches back to before the attempt', async () => {
    await start();
    fill(36, 60_000);
    const key = await openAndLose(() => {});
    await passTime(longAfterMs);
    expect(await operation(key)).toMatchObject({ state: 'done' });
    expect(bff.service.calls.filter(isTicket)).toHaveLength(3);
  });

  it('is left to the customer where that part does not reach back to the attempt [overload-16]', async () => {
    await start();
    const key = await openAndLose((fields) => {
      bff.service.addTicket({ ...fields });
      fill(36);
    });
    await passTime(longAfterMs);
    expect(await operation(key)).toMatchObject({ state: 'unknown', can_retry: true });
    expect(bff.service.calls.filter(isTicket)).toHaveLength(2);
  });
});

it('messages that the service numbers within their ticket are sent once', async () => {
  await start();
  bff.service.answer = (call) => {
    if (!isReply(call)) return undefined;
    const id = call.path.split('/')[4]!;
    const message = bff.service.addMessage(id, 'customer', String(call.body['body']));
    message.id = String(bff.service.tickets.get(id)!.messages.length);
    return { statusCode: 201, data: JSON.stringify({ data: message }) };
  };
  const { data: other } = await ada.openTicket();
  for (const id of [ticketId, other.id])
    expect((await ada.post(paths.messages(id), { body: 'Hello?' })).data).toMatchObject({
      id: '1',
      state: 'done',
    });
  expect(replies()).toHaveLength(2);
});

it('a ticket that was sent without a ref is found by its text, however the service breaks its lines', async () => {
  await start({ hasFooter: false });
  const key = randomUUID();
  let isReadable = false;
  bff.service.answer = ({ method, path, body }) => {
    if (method === 'GET') return !isReadable && path.includes('limit') ? { statusCode: 500 } : undefined;
    bff.service.addTicket({ ...body, description: 'one\u2028two\u0007' });
    return connectionReset();
  };
  const sending = ada.openTicket({ description: 'one\ntwo' }, key);
  await passTime(6_000);
  expect((await sending).data.state).toBe('unknown');
  isReadable = true;
  await passTime(30_000);
  expect(await operation(key)).toMatchObject({ state: 'done' });
  expect(bff.service.tickets.size).toBe(2);
});
