import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { openCounterFile } from '../../store/counters.ts';
import { createLimits, type Limits } from '../../limits/limits.ts';
import { createLog } from '../../log/log.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { createSeal } from '../../store/seal.ts';
import { UnreachableError } from '../../store/errors.ts';
import { usualLimits } from '../../../testing/operator/limits.ts';
import type { AppEnv } from '../context.ts';
import { countRequests } from '../visitor.ts';
import { answerError } from '../errors.ts';
import { observeRequests } from '../observe.ts';
import { hookRoutes } from './hooks.ts';

const path = 'a-path-nobody-guesses-4711';
const signing = `whsec_${Buffer.from('thirty-two bytes of random text!').toString('base64')}`;

describe('the webhook door', () => {
  let limits: Limits | undefined;
  afterEach(() => limits?.close());

  function start(secrets: string[]) {
    const hints: string[] = [];
    const failures: Error[] = [];
    const logLines: string[] = [];
    const metrics = createMetrics();
    const seal = createSeal('a secret of more than thirty-two characters');
    limits = createLimits({
      counterStore: openCounterFile(null),
      settings: usualLimits,
      seal,
      refusals: metrics.limitRefusals,
      onError: (error) => expect.fail(String(error)),
    });
    const app = new Hono<AppEnv>();
    app.onError(answerError);
    app.notFound((c) => answerError(new AppError('not_found'), c));
    const log = createLog('trace', { write: (line: string) => logLines.push(line) });
    app.use(observeRequests({ log, metrics, headers: {} }));
    async function hint(id: string): Promise<void> {
      const failure = failures.shift();
      if (failure) throw failure;
      hints.push(id);
    }
    app.use(countRequests({ limits, trustedProxies: 1 }));
    const door = hookRoutes({ secrets, hint, limits });
    app.route('/hooks/tickets', door);
    const post = async (secret: string, body = '', headers: Record<string, string> = {}) => {
      const sent = { 'X-Forwarded-For': '203.0.113.7', ...headers };
      const url = `/hooks/tickets/${encodeURIComponent(secret)}`;
      const answer = await app.request(url, { method: 'POST', body, headers: sent });
      const text = await answer.text();
      return {
        status: answer.status,
        headers: answer.headers,
        text: text.replace(/"request_id":"[^"]*"/, ''),
      };
    };
    return { app, post, hints, failures, logLines };
  }

  function sign(
    body: string,
    { secret = signing, id = '5b6d3c1e-0000-4000-8000-000000000001', ageSec = 0 } = {},
  ) {
    const time = new Date(Date.now() - ageSec * 1_000);
    return {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, time, body),
    };
  }

  it('takes ids from any body, and uses them as hints only', async () => {
    const { post, hints } = start([path]);
    const [a, b] = [randomUUID(), randomUUID()];
    const body = JSON.stringify({ type: 'ticket.created', data: { id: a, status: '<closed>' }, again: a });
    expect(await post(path, body, { 'Content-Type': 'application/json' })).toMatchObject({
      status: 204,
      text: '',
    });
    expect(await post(path, `no JSON at all ${b}!`, { 'Content-Type': 'text/plain' })).toMatchObject({
      status: 204,
    });
    expect(await post(path)).toMatchObject({ status: 204 });
    expect(hints).toEqual([a, b]);
  });

  it('takes at most twenty ids from one body', async () => {
    const { post, hints } = start([path]);
    const ids = Array.from({ length: 50 }, () => randomUUID());
    await post(path, ids.join(' '));
    expect(hints).toEqual(ids.slice(0, 20));
  });

  it('does not exist without a secret, and answers a wrong one in the same way [upstream-10]', async () => {
    const id = randomUUID();
    const none = start([]);
    const closed = await none.post(path, id);
    limits?.close();
    const { post, app, hints } = start([path]);
    const refused = [
      await post('wrong', id),
      await post(`${path}x`, id),
      await post(path.slice(1), id),
      await post(path.toUpperCase(), id),
    ];
    const elsewhere = await app.request('/hooks/elsewhere', { method: 'POST' });
    expect(closed.status).toBe(404);
    for (const answer of refused) expect(answer).toMatchObject({ status: 404, text: closed.text });
    expect((await elsewhere.text()).replace(/"request_id":"[^"]*"/, '')).toBe(closed.text);
    expect((await app.request(`/hooks/tickets/${path}`)).status).toBe(404);
    expect([...none.hints, ...hints]).toEqual([]);
  });

  it('requires a signature too when one of the secrets is for signing [upstream-8]', async () => {
    const { post, hints } = start([path, signing]);
    const body = `{"id":"${randomUUID()}"}`;
    const other = `whsec_${Buffer.from('another thirty-two bytes of text').toString('base64')}`;
    const good = sign(body);
    const bad: Record<string, string>[] = [
      {},
      sign(`${body} `),
      sign(body, { secret: other }),
      sign(body, { ageSec: 310 }),
      sign(body, { ageSec: -310 }),
      { ...good, 'webhook-id': '5b6d3c1e-0000-4000-8000-000000000002' },
      { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) },
      { ...good, 'webhook-timestamp': 'now' },
      { ...good, 'webhook-signature': 'v1' },
      { ...good, 'webhook-signature': good['webhook-signature'].replace('v1,', 'v2,') },
    ];
    for (const headers of bad) expect((await post(path, body, headers)).status).toBe(404);
    expect((await post(signing, body, good)).status).toBe(404);
    expect(hints).toEqual([]);
    expect((await post(path, body, good)).status).toBe(204);
    expect(hints).toHaveLength(1);
  });

  it('refuses a delivery that other instances cannot be told of, and accepts it when it comes again', async () => {
    const { post, hints, failures } = start([path, signing]);
    const body = `{"id":"${randomUUID()}"}`;
    const delivery = sign(body);
    failures.push(new UnreachableError(new Error('the network is cut')));
    expect((await post(path, body, delivery)).status).toBe(503);
    expect((await post(path, body, delivery)).status).toBe(204);
    expect((await post(path, body, delivery)).status).toBe(204);
    expect(hints).toHaveLength(1);
  });

  it('accepts the signing secret in the path when it is the only one', async () => {
    const { post, hints } = start([signing]);
    const id = randomUUID();
    expect((await post(signing, id)).status).toBe(404);
    expect((await post(signing, id, sign(id))).status).toBe(204);
    expect(hints).toEqual([id]);
  });

  it('counts a delivery once, and answers its repetition [upstream-9]', async () => {
    const { post, hints } = start([path, signing]);
    const [first, second] = [randomUUID(), randomUUID()];
    expect((await post(path, first, sign(first))).status).toBe(204);
    expect((await post(path, first, sign(first, { ageSec: 2 }))).status).toBe(204);
    expect(hints).toEqual([first]);
    await post(path, second, sign(second, { id: 'another delivery' }));
    expect(hints).toEqual([first, second]);
  });

  it('reads no more than 64 kB, with or without a Content-Length [overload-13]', async () => {
    const { post, app, hints } = start([path]);
    const id = randomUUID();
    const fits = `${id} `.padEnd(65_536, 'x');
    const tooLarge = `${fits}x`;
    const unannounced = (body: string) =>
      app.request(`/hooks/tickets/${path}`, {
        method: 'POST',
        body: new Blob([body]).stream(),
        duplex: 'half',
      });
    expect((await post(path, fits, { 'Content-Length': '65536' })).status).toBe(204);
    expect((await post(path, tooLarge, { 'Content-Length': '65537' })).status).toBe(413);
    expect((await unannounced(fits)).status).toBe(204);
    expect((await unannounced(tooLarge)).status).toBe(413);
    expect(hints).toEqual([id, id]);
  });

  it('accepts every delivery with the right secret, however many come from one address', async () => {
    const { post } = start([path]);
    for (let n = 0; n < 130; n += 1) expect((await post(path)).status).toBe(204);
  });

  it.each([
    ['wrong secrets', [path], 'a guess'],
    ['bad signatures', [path, signing], path],
  ])(
    'refuses one address after 120 %s in a minute, and still accepts the right one',
    async (_, secrets, guess) => {
      const { post } = start(secrets);
      for (let n = 0; n < 119; n += 1) await post(guess);
      const last = await post(guess);
      expect(last).toMatchObject({ status: 404 });
      const refused = await post(guess);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
      expect((await post(guess, '', { 'X-Forwarded-For': '1.2.3.4, 203.0.113.8' })).status).toBe(404);
      expect((await post(path, 'x', sign('x'))).status).toBe(204);
    },
  );

  it('writes neither the secret nor the body to the logs', async () => {
    const { post, logLines } = start([path]);
    const id = randomUUID();
    await post(path, `secret words ${id}`);
    await post('a guess', 'x'.repeat(70_000));
    expect(logLines).toHaveLength(2);
    expect(logLines.join()).not.toMatch(new RegExp(`${path}|${id}|secret words|guess`));
  });
});
