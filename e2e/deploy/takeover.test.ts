import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateHeader, idempotencyHeader, paths } from '../../shared/contract/paths.ts';
import { accessTo } from '../support/service-api.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { loadEnv, startLoad, textsAtService } from './load.ts';

describe('a BFF that is stopped under load', () => {
  let stack: Stack;
  let load: Awaited<ReturnType<typeof startLoad>>;
  beforeEach(async () => {
    stack = await startStack(loadEnv);
    load = await startLoad(stack);
  });
  afterEach(async () => {
    await load.stop();
    await load.close();
    await stack.stop();
  });

  /** No text is refused, lost or there twice. */
  async function expectAllSentOnce() {
    await load.stop();
    const answers = new Set(load.sent.flatMap(({ statuses }) => statuses));
    expect([...answers].filter((status) => status !== null && status !== 201 && status !== 202)).toEqual([]);
    const unanswered = load.sent.filter(({ statuses }) => statuses.at(-1) === null);
    expect(unanswered).toEqual([]);
    expect((await load.ends()).filter(({ end }) => end !== 'done')).toEqual([]);
    const there = await textsAtService(accessTo(stack));
    expect(there.toSorted()).toEqual(load.sent.map(({ text }) => text).toSorted());
  }

  it('answers the requests that it has accepted, and its successor on the same port answers the rest', async () => {
    await load.more(20);
    stack.bff.child.kill('SIGTERM');
    expect(await stack.bff.exited).toBe(0);
    await stack.restartBff();
    await load.more(20);
    await expectAllSentOnce();
  });

  it('breaks no connection when another one on the same store takes the new requests', async () => {
    const { url } = await stack.startSecondBff();
    await load.more(20);
    load.turnTo(url);
    stack.bff.child.kill('SIGTERM');
    expect(await stack.bff.exited).toBe(0);
    await load.more(20);
    await expectAllSentOnce();
    expect(load.sent.filter(({ statuses }) => statuses.includes(null))).toEqual([]);
  });
});

it('a stream of a BFF that is stopped ends after a whole event, not in the middle of one', async () => {
  const stack = await startStack();
  const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin', [gateHeader]: '1' };
  try {
    const opened = await fetch(stack.bffUrl + paths.tickets, {
      method: 'POST',
      headers: { ...headers, [idempotencyHeader]: randomUUID() },
      body: JSON.stringify({ subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' }),
    });
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
    const stream = await fetch(stack.bffUrl + paths.events, { headers: { ...headers, Cookie: cookie } });
    stack.bff.child.kill('SIGTERM');
    // Fails when the connection ends before the last piece.
    expect(await stream.text()).toContain('event: sync');
    expect(await stack.bff.exited).toBe(0);
  } finally {
    await stack.stop();
  }
});
