import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idempotencyHeader, paths } from '../../shared/contract/paths.ts';
import { ratingPath } from '../../shared/contract/ratings.ts';
import { makeArticleFolder } from './articles/testing/article-folder.ts';
import { startBff, type TestBff } from '../testing/bff.ts';
import { type TestBrowser, ticketBody } from '../testing/browser.ts';
import { signedIn, withIdentity } from '../testing/identity.ts';
import { startStreams, type TestStreams } from '../testing/streams.ts';

const dayMs = 86_400_000;
const email = 'ada@example.com';

let bff: TestBff;
let streams: TestStreams;
/** The browsers that try to get in, each with a ticket of its own. */
let actors: Record<string, { browser: TestBrowser; own: { id: string; key: string } }>;
let owner: { browser: TestBrowser; own: { id: string; key: string } };

async function opened(browser: TestBrowser, more: object = {}) {
  const key = randomUUID();
  const { data } = await browser.openTicket(more, key);
  return { id: data.id as string, key };
}

beforeAll(async () => {
  // No background read may come while calls of the service are counted.
  bff = await startBff({
    ...withIdentity,
    watchActiveMs: 600_000,
    watchIdleMs: 600_000,
    values: { RATINGS: 'on', FILES: 'on' },
  });
  streams = await startStreams(bff);
  bff.clock.offsetMs = -91 * dayMs;
  const expired = bff.browser();
  const expiredOwn = await opened(expired);
  bff.clock.offsetMs = 0;

  const ownerBrowser = bff.browser();
  owner = { browser: ownerBrowser, own: await opened(ownerBrowser) };

  const anonymous = bff.browser();
  const anonymousOwn = await opened(anonymous, { customer_email: 'eve@example.com' });

  const claimedAway = bff.browser();
  const claimedOwn = await opened(claimedAway, { customer_email: 'claimed@example.com' });
  const claimer = await signedIn(bff, 'claimed@example.com');
  await claimer.post(paths.claim, {});

  const signedOut = bff.browser();
  const signedOutOwn = await opened(signedOut, { customer_email: 'gone@example.com' });
  const { cookie } = signedOut;
  await signedOut.request('DELETE', paths.session);
  signedOut.cookie = cookie;

  actors = {
    'no session': { browser: bff.browser(), own: owner.own },
    'other anonymous': { browser: anonymous, own: anonymousOwn },
    'other verified': { browser: await signedIn(bff, 'mallory@example.com'), own: owner.own },
    'the owner of the address, who has not claimed it': {
      browser: await signedIn(bff, email),
      own: owner.own,
    },
    'claimed away': { browser: claimedAway, own: claimedOwn },
    'signed out': { browser: signedOut, own: signedOutOwn },
    expired: { browser: expired, own: expiredOwn },
  };
});
afterAll(async () => {
  await bff.stop();
});

/** Every route that names a ticket or a send. The test of this table checks that it is complete. */
const routes: Record<
  string,
  (
    browser: TestBrowser,
    target: { id: string; key: string },
  ) => Promise<{ status: number; text: string; error: { request_id: string } }>
> = {
  'GET /api/tickets/:id': (browser, { id }) => browser.get(paths.ticket(id)),
  'GET /api/tickets/:id?before': (browser, { id }) => browser.get(`${paths.ticket(id)}?before=description`),
  'POST /api/tickets/:id/messages': (browser, { id }) => browser.post(paths.messages(id), { body: 'Hello' }),
  'POST /api/tickets/:id/read': (browser, { id }) =>
    browser.request('POST', paths.read(id), { message_id: 'description' }),
  'PUT /api/tickets/:id/rating': (browser, { id }) => browser.request('PUT', ratingPath(id), { score: 5 }),
  'GET /api/operations/:key': (browser, { key }) => browser.get(paths.operation(key)),
  'POST /api/operations/:key/retry': (browser, { key }) => browser.request('POST', paths.retry(key), {}),
};

/**
 * Routes that name neither a ticket nor a send. They must show nothing of other customers. The stream has its own test.
 */
const withoutId = [
  'GET /api/session',
  'DELETE /api/session',
  'POST /api/session/identity',
  'POST /api/session/code',
  'POST /api/session/code/verify',
  'POST /api/session/claim',
  'POST /api/session/transfer',
  'DELETE /api/session/transfer',
  'DELETE /api/session/moved',
  'POST /api/session/handoff',
  'GET /api/session/handoff',
  'DELETE /api/session/handoff',
  'POST /api/session/handoff/confirm',
  'POST /api/session/handoff/redeem',
  'GET /api/session/data',
  'DELETE /api/session/data',
  'GET /api/session/devices',
  'DELETE /api/session/devices',
  'GET /api/tickets',
  'POST /api/tickets',
  'GET /api/events',
  'POST /api/files',
];

it('the table has every route of the API [isolation-3]', () => {
  const registered = bff.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api'))
    .map(({ method, path }) => `${method} ${path}`);
  const tried = new Set(Object.keys(routes).map((route) => route.replace(/\?.*/, '')));
  expect([...new Set(registered)].toSorted()).toEqual([...tried, ...withoutId].toSorted());
});

it('the list has every other route of the public port', () => {
  const registered = bff.app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/api'))
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(registered)].toSorted()).toEqual([
    'GET /',
    'GET /assets/:name',
    'GET /f/:token/:name',
    'GET /frame',
    'GET /hours.js',
    'GET /proof-worker.js',
    'GET /unsubscribe/:token',
    'GET /widget-1.2.3.js',
    'GET /widget.js',
    'POST /hooks/tickets/:secret',
    'POST /unsubscribe/:token',
  ]);
});

it('with articles the list has their routes too, and none of them names a ticket or a customer', async () => {
  const withArticles = await startBff({ values: { ARTICLES_DIR: makeArticleFolder({ 'en/a.md': '# A' }) } });
  const registered = withArticles.app.routes
    .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/articles'))
    .map(({ method, path }) => `${method} ${path}`);
  await withArticles.stop();
  expect([...new Set(registered)].toSorted()).toEqual([
    'GET /articles',
    'GET /articles/:hash/:file',
    'GET /articles/:hash/:language/:file',
    'GET /articles/:hash/files/:path{.+}',
    'POST /articles/:id/votes',
  ]);
});

const strangers = [
  ['no session', 401],
  ['other anonymous', 404],
  ['other verified', 404],
  ['the owner of the address, who has not claimed it', 404],
  ['claimed away', 404],
  ['signed out', 401],
  ['expired', 401],
] as const;

const targets = {
  foreign: () => owner.own,
  unknown: () => ({ id: randomUUID(), key: randomUUID() }),
  malformed: () => ({ id: `${owner.own.id}x`, key: '0 or 1=1' }),
  'in capitals': () => ({ id: owner.own.id.toUpperCase(), key: owner.own.key }),
  'by its key': () => ({ id: owner.own.key, key: owner.own.key }),
  'an operator': () => ({ id: '__proto__', key: 'null' }),
};

describe.each(strangers)('%s', (who, status) => {
  it.each(Object.keys(routes))(
    'is refused with one answer for every id at %s, and the service is not called [isolation-1]',
    async (route) => {
      const { browser, own } = actors[who]!;
      const isOwnOpen = who === 'other anonymous';
      const tried = Object.values(targets).map((target) => target());
      const before = bff.service.calls.length;
      const bodies = new Set<string>();
      for (const target of isOwnOpen ? tried : [...tried, own]) {
        const answer = await routes[route]!(browser, target);
        expect([route, target, answer.status]).toEqual([route, target, status]);
        bodies.add(answer.text.replace(answer.error.request_id, ''));
      }
      expect(bodies.size).toBe(1);
      expect(bff.service.calls).toHaveLength(before);
    },
  );

  it('sees nothing of the ticket in the list or on the stream [isolation-4]', async () => {
    const { browser } = actors[who]!;
    const before = bff.service.calls.length;
    const list = await browser.get(paths.tickets);
    expect(list.text).not.toContain(owner.own.id);
    for (const after of ['', 'description']) {
      const stream = await streams.listen(browser.cookie, owner.own.id, after);
      expect(stream.status).toBe(status === 401 ? 401 : 200);
      expect(stream.of('sync').map(({ thread }) => thread)).toEqual(status === 401 ? [] : [null]);
      expect(JSON.stringify(stream.seen)).not.toContain(owner.own.id);
      stream.stop();
    }
    const asked = bff.service.calls.slice(before).map(({ path }) => path);
    expect(asked.filter((path) => path.includes(owner.own.id))).toEqual([]);
  });
});

describe('the owner', () => {
  it.each(Object.entries(routes))('is let through at %s', async (_route, ask) => {
    expect((await ask(owner.browser, owner.own)).status).toBeLessThan(300);
  });

  it('is let through by the key that opened the ticket, too', async () => {
    const { key } = owner.own;
    for (const ask of Object.values(routes))
      expect((await ask(owner.browser, { id: key, key })).status).toBeLessThan(300);
  });

  it('gets the same 404 for what is not theirs', async () => {
    for (const ask of Object.values(routes))
      for (const name of ['unknown', 'malformed', 'an operator'] as const)
        expect((await ask(owner.browser, targets[name]())).status).toBe(404);
  });

  it('sees the ticket in the list and on the stream', async () => {
    expect((await owner.browser.get(paths.tickets)).text).toContain(owner.own.id);
    const stream = await streams.listen(owner.browser.cookie, owner.own.id);
    expect(stream.of('sync')[0].thread.id).toBe(owner.own.id);
    stream.stop();
  });
});

it('a request for a ticket of another customer is refused before its key or its body is read [isolation-2]', async () => {
  const { browser } = actors['other anonymous']!;
  const answer = await browser.request('POST', paths.messages(owner.own.id), '{ broken', {
    [idempotencyHeader]: 'x',
  });
  expect(answer.status).toBe(404);
});

it('a key of another customer reveals nothing about its ticket [isolation-18]', async () => {
  const { browser } = actors['other anonymous']!;
  const { status, text } = await browser.openTicket({ description: 'Other words' }, owner.own.key);
  expect([status, text.includes(owner.own.id)]).toEqual([422, false]);
});

it.each(['no session', 'other anonymous'])(
  'with %s a complete repeat of a request confirms that the ticket was sent, and opens nothing',
  async (who) => {
    const { browser } = actors[who]!;
    const { length } = bff.service.writes();
    const before = [browser.cookie, (await browser.get(paths.tickets)).data];
    const { status, data, text } = await browser.openTicket(ticketBody, owner.own.key);
    expect([status, data.state, data.id]).toEqual([201, 'done', null]);
    expect(text).not.toContain(owner.own.id);
    expect(data.messages).toHaveLength(1);
    expect([browser.cookie, (await browser.get(paths.tickets)).data]).toEqual(before);
    expect(bff.service.writes()).toHaveLength(length);
  },
);
