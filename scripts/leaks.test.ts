import { expect, it } from 'vitest';
import { leaksIn, samplesOf } from './leaks.ts';

const line = (fields: object) =>
  JSON.stringify({ level: 30, time: 1_700_000_000_000, service: 'bff', ...fields });
const requestId = '5b6d3c1e-0000-4000-8000-000000000001';

it.each([
  ['an e-mail address', line({ msg: 'refused: 550 <ada@example.com> is unknown' })],
  ['an e-mail address', line({ route: '/x?email=ada%40example.com' })],
  ['an IP address', line({ client: '203.0.113.7' })],
  ['an IP address', line({ client: '::ffff:203.0.113.7' })],
  ['an IP address', line({ client: '2001:db8::17:4' })],
  ['an IP address', line({ client: '::1' })],
  ['a session token', line({ token: `s1_${'A'.repeat(43)}` })],
  ['a signed token', line({ token: 'eyJhbGciOiJIUzI1NiJ9.e30.x' })],
  ['a cookie', line({ headers: { cookie: '__Host-deskside=x' } })],
  ['a credential', line({ authorization: 'Bearer 0123456789' })],
  ['a key or a secret', line({ url: '/hooks/tickets/whsec_MDEyMzQ1Njc4OWFiY2RlZg==' })],
  ['a link that signs in', line({ url: 'https://shop.test/#handoff=x' })],
  ['an id', line({ request_id: requestId, ticket: requestId })],
  ['an e-mail address', 'deskside_operations{customer="ada@example.com"} 1'],
  ['what somebody wrote', line({ name: 'Ada' })],
  ['what somebody wrote', line({ err: { message: 'near "It came like this.\nWhat now?"' } })],
])('finds %s in %s [storage-20]', (what, leaking) => {
  const texts = ['Ada', 'It came like this.\nWhat now?'];
  expect(leaksIn([line({ msg: 'ready' }), leaking], texts)).toEqual([`${what}: ${leaking}`]);
});

it.each([
  [
    'a request',
    line({ request_id: requestId, method: 'GET', route: '/api/tickets/:id', status: 200, ms: 12 }),
  ],
  [
    'a server that is ready',
    line({ address: { address: '127.0.0.1', family: 'IPv4', port: 4000 }, msg: 'ready' }),
  ],
  ['a stack', line({ err: { stack: '    at run (file:///app/node_modules/@hono/server/index.js:10:7)' } })],
  ['a longer word', line({ state: 'done' })],
  ['a version', 'deskside_build_info{version="1.2.3",node="v20.19.0"} 1'],
  ['a time', line({ at: '2026-01-02T03:04:05.678Z' })],
])('finds nothing in %s', (_, harmless) => {
  expect(leaksIn([harmless], ['', 'x', '  ', 'one', '\u0001'.repeat(20_000)])).toEqual([]);
});

it('a scan of metrics reads only the samples', () => {
  expect(samplesOf('# HELP a Of each call.\n# TYPE a gauge\na{call="list"} 1\n')).toEqual([
    'a{call="list"} 1',
  ]);
});
