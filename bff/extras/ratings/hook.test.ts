import { mkdtempSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serve } from '../../../scripts/serve.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { RatingsPart } from './extra.ts';
import { createHook } from './hook.ts';
import type { Ratings } from './ratings.ts';
import { openAnswered, rate } from './testing/rated.ts';

const minuteMs = 60_000;
const secret = `whsec_${Buffer.from('a secret of more than 24 bytes').toString('base64')}`;

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let bff: TestBff;
beforeEach(async () => {
  receiver = await startReceiver();
  bff = await start();
});
afterEach(async () => {
  await bff.stop();
  await receiver.stop();
});

const start = (more: object = {}) =>
  startBff({
    values: { RATINGS: 'on', RATING_HOOK: receiver.url, RATING_HOOK_SECRET: secret },
    // Only `deliver` sends.
    notStarted: ['ratings'],
    ...more,
  });

/** A server of the operator that gets ratings. */
async function startReceiver() {
  const got: { headers: IncomingHttpHeaders; body: string }[] = [];
  const answers: number[] = [];
  const { url, stop } = await serve((request, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers, body });
      response.writeHead(answers.shift() ?? 204).end();
    });
  });
  return {
    url: `${url}/hook?key=hidden-in-the-address`,
    got,
    bodies: () => got.map(({ body }) => JSON.parse(body) as object),
    /** The statuses of the next answers. */
    answers,
    stop,
  };
}

async function deliverAfter(ms: number, to = bff): Promise<void> {
  to.clock.offsetMs += ms;
  await (to.extras.get('ratings') as RatingsPart).deliver!();
}

it('a rating is sent after a minute, once, signed, as it is then', async () => {
  const { browser, id } = await openAnswered(bff);
  await rate(browser, id, { solved: true });
  await deliverAfter(0);
  expect(receiver.got).toEqual([]);
  await rate(browser, id, { solved: true, score: 5, word: 'Très <b>bien</b>' });
  await deliverAfter(minuteMs);
  await deliverAfter(60 * minuteMs);
  expect(receiver.bodies()).toEqual([
    {
      ticket_id: id,
      ticket_number: expect.any(Number),
      solved: true,
      score: 5,
      word: 'Très <b>bien</b>',
      rated_at: expect.stringMatching(/Z$/),
    },
  ]);
  const [{ headers, body }] = receiver.got as [(typeof receiver.got)[0]];
  expect(headers['content-type']).toBe('application/json');
  expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
});

it('a rating that was refused is sent again after a pause, under the same id, and logged without its address', async () => {
  receiver.answers.push(500, 301);
  const { browser, id } = await openAnswered(bff);
  await rate(browser, id, { score: 1 });
  await deliverAfter(minuteMs);
  await deliverAfter(0);
  expect(receiver.got).toHaveLength(1);
  await deliverAfter(minuteMs);
  await deliverAfter(2 * minuteMs);
  expect(receiver.got).toHaveLength(3);
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const logged = bff.logLines.filter((line) => line.includes('rating_not_told'));
  expect(logged).toHaveLength(2);
  expect(logged[0]).toContain('the hook answered 500');
  expect(logged.join()).not.toContain('hidden-in-the-address');
});

it('a rating that could not be sent is sent by the next process', async () => {
  await bff.stop();
  const dataDir = mkdtempSync(join(tmpdir(), 'ratings-'));
  bff = await start({ dataDir });
  const { browser, id } = await openAnswered(bff);
  await rate(browser, id, { score: 2 });
  receiver.answers.push(503);
  await deliverAfter(minuteMs);
  const { offsetMs } = bff.clock;
  await bff.stop();
  bff = await start({ dataDir });
  await deliverAfter(offsetMs + minuteMs);
  expect(receiver.bodies()).toMatchObject([{ score: 2 }, { score: 2 }]);
  await deliverAfter(60 * minuteMs);
  expect(receiver.got).toHaveLength(2);
});

it('a rating that changed while it was sent is sent again', async () => {
  const { browser, id } = await openAnswered(bff);
  await rate(browser, id, { score: 2 });
  bff.clock.offsetMs += minuteMs;
  const sending = deliverAfter(0);
  await rate(browser, id, { score: 4 });
  await sending;
  await deliverAfter(minuteMs);
  expect(receiver.bodies().at(-1)).toMatchObject({ score: 4 });
});

it('a stop waits for the rating that is being sent, and for no other', async () => {
  const due = { version: 'v', dueAt: 0, attempts: 0, ticketId: 't', ticketNumber: 1, ratedAt: 0 };
  const rated = { ...due, solved: true, score: null, word: null };
  const putOff = vi.fn<() => Promise<boolean>>(async () => true);
  const markSent = vi.fn<() => Promise<void>>(async () => void hook.stop());
  const ratings = { due: async () => [rated, rated], putOff, markSent } as unknown as Ratings;
  const hook = createHook(bff, { ratings, url: receiver.url, secret });
  await hook.pass();
  expect([putOff.mock.calls.length, markSent.mock.calls.length]).toEqual([1, 1]);
});

it('a rating of a customer who was forgotten is not sent', async () => {
  const { browser, id } = await openAnswered(bff);
  await rate(browser, id, { score: 2 });
  await bff.operatorData.forget('ada@example.com', 'keep');
  await deliverAfter(minuteMs);
  expect(receiver.got).toEqual([]);
});
