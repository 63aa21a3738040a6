import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createJwks } from './jwks.ts';
import { serve } from '../../../scripts/serve.ts';

const jwkOf = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid,
});
const first = jwkOf('first');
const second = jwkOf('second');
const setOf = (...keys: object[]) => JSON.stringify({ keys });

const minute = 60_000;
let closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.map((close) => close()));
  closers = [];
});

/** Starts a site with a given answer. Returns it with a clock that the test can move. */
async function siteOf(listener: RequestListener, timeoutMs = 2_000) {
  const site = { listener, reads: 0, at: 0 };
  const { url, stop } = await serve((request, response) => {
    site.reads += 1;
    site.listener(request, response);
  });
  closers.push(stop);
  const find = createJwks({ url, elapsed: () => site.at, timeoutMs });
  const outcomeOf = async (kid: string | undefined) => {
    try {
      const key = await find(
        { alg: 'ES256', ...(kid === undefined ? {} : { kid }) },
        {
          payload: '',
          signature: '',
        },
      );
      return (key as { type: string }).type;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return { site, outcomeOf };
}
const answer =
  (body: string | Buffer, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const hangUp: RequestListener = (request) => request.socket.destroy();

const found = 'public';
const unknown = 'ERR_JWKS_NO_MATCHING_KEY';
const unavailable = 'upstream_unavailable';

describe('the key set of a site', () => {
  it('is read once for all that need it at the same time, and kept for ten minutes', async () => {
    const { site, outcomeOf } = await siteOf(answer(setOf(first)));
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf('first')));
    expect(new Set(outcomes)).toEqual(new Set([found]));
    site.at = 10 * minute - 1;
    expect(await outcomeOf('first')).toBe(found);
    expect(site.reads).toBe(1);
  });

  it('is not read for a token that names no key', async () => {
    const { site, outcomeOf } = await siteOf(answer(setOf(first)));
    expect(await outcomeOf(undefined)).toBe(unknown);
    expect(site.reads).toBe(0);
  });

  it('allows old and new keys side by side, and finds a new one when its first token comes', async () => {
    const { site, outcomeOf } = await siteOf(answer(setOf(first)));
    expect(await outcomeOf('first')).toBe(found);
    site.listener = answer(setOf(first, second));
    site.at = minute;
    expect(await outcomeOf('second')).toBe(found);
    expect(await outcomeOf('first')).toBe(found);
    expect(site.reads).toBe(2);
  });

  it('loses a key ten minutes after the site removed it', async () => {
    const { site, outcomeOf } = await siteOf(answer(setOf(first, second)));
    expect(await outcomeOf('first')).toBe(found);
    site.listener = answer(setOf(second));
    site.at = 10 * minute;
    expect(await outcomeOf('first')).toBe(unknown);
  });

  it('is read again for unknown keys at most every thirty seconds', async () => {
    const { site, outcomeOf } = await siteOf(answer(setOf(first)));
    for (let at = 0; at < minute; at += 1_000) {
      site.at = at;
      expect(await outcomeOf(`made up ${at}`)).toBe(unknown);
    }
    expect(site.reads).toBe(2);
  });

  it('is used for a day while the site is down, and no longer', async () => {
    const { site, outcomeOf } = await siteOf(answer(setOf(first)));
    expect(await outcomeOf('first')).toBe(found);
    site.listener = hangUp;
    site.at = 24 * 60 * minute - 1;
    expect(await outcomeOf('first')).toBe(found);
    expect(await outcomeOf('second')).toBe(unknown);
    expect(site.reads).toBe(2);
    site.at += 1;
    expect(await outcomeOf('first')).toBe(unavailable);
  });

  it('that was never read is read again after five seconds', async () => {
    const { site, outcomeOf } = await siteOf(hangUp);
    expect(await outcomeOf('first')).toBe(unavailable);
    site.listener = answer(setOf(first));
    expect(await outcomeOf('first')).toBe(unavailable);
    site.at = 5_000;
    expect(await outcomeOf('first')).toBe(found);
    expect(site.reads).toBe(2);
  });

  it.each<[string, RequestListener]>([
    ['an error', answer(setOf(first), 500)],
    ['a redirect', answer(setOf(first), 302, { Location: '/elsewhere.json' })],
    ['more than 64 kB', answer(setOf(first, { kty: 'EC', more: 'x'.repeat(64 * 1024) }))],
    [
      'more than 64 kB without a length',
      (_, response) => {
        response.write(setOf(first).slice(0, -1));
        response.end(`${' '.repeat(64 * 1024)}}`);
      },
    ],
    ['compressed bytes', answer(gzipSync(setOf(first)), 200, { 'Content-Encoding': 'gzip' })],
    ['no JSON', answer('<html>')],
    ['another JSON', answer('[]')],
    ['keys that are none', answer('{"keys":[1]}')],
    ['half of it', (_, response) => response.writeHead(200, { 'Content-Length': '999' }).end('{"keys":')],
  ])('that answers %s is not accepted', async (_, listener) => {
    const { site, outcomeOf } = await siteOf(listener);
    expect(await outcomeOf('first')).toBe(unavailable);
    expect(site.reads).toBe(1);
  });

  it.each<[string, RequestListener]>([
    ['says nothing', () => {}],
    ['never ends', (_, response) => response.write('{')],
  ])('that %s is given up', async (_, listener) => {
    const { outcomeOf } = await siteOf(listener, 100);
    expect(await outcomeOf('first')).toBe(unavailable);
  });
});
