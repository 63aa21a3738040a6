import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { listKeys, revokeKey } from '../../../service/keys/keys.ts';
import { createTestService, type TestService } from '../../../service/test-service.ts';
import {
  runAllChecks,
  serveApp,
  serveHandler,
  startChecked,
  stopServing,
  type Tampering,
} from '../../testing/operator/checks.ts';
import type { CheckContext, Result } from '../../core/operator/check.ts';
import { until } from '../../testing/streams.ts';

type Checked = Awaited<ReturnType<typeof startChecked>>;

let service: TestService;
let checked: Checked | undefined;
const closing: (() => void)[] = [];

beforeAll(() => {
  service = createTestService();
});
afterEach(async () => {
  await stopServing();
  await checked?.bff.stop();
  checked = undefined;
  for (const close of closing.splice(0)) close();
});
afterAll(() => service.db.close());

async function start(tampering: Tampering = {}, trustedProxies = 1): Promise<Checked> {
  const url = await serveApp(service.app);
  checked = await startChecked({ url, key: service.workspace.key }, tampering, trustedProxies);
  return checked;
}

/** Left out, because the folder of tests may be on a volatile or nearly full disk. */
const isAbout = ({ name }: Result) => name !== 'store-durable' && name !== 'store-space';
const found = (results: Result[]) =>
  results.filter(isAbout).flatMap(({ level, name }) => (/warn|fail/.test(level) ? `${level} ${name}` : []));

it('all checks pass on a BFF in good order, and leave nothing in its store', async () => {
  const { env, bff } = await start();
  const results = await runAllChecks(env);
  expect(results.filter(isAbout).filter(({ level }) => level !== 'ok')).toEqual([]);
  expect(await bff.store.selectFrom('subjects').selectAll().execute()).toEqual([]);
  expect(await bff.store.selectFrom('sessions').selectAll().execute()).toEqual([]);
  const { data } = (await (await service.call('GET', '/tickets')).json()) as { data: unknown[] };
  expect(data).toEqual([]);
});

interface Problem {
  problem: string;
  /** Changes the running parts, or the settings. */
  change?: (
    checked: Checked,
    serviceUrl: string,
  ) => Record<string, string> | void | Promise<Record<string, string> | void>;
  tampering?: Tampering;
  trustedProxies?: number;
  context?: Partial<CheckContext>;
  expected: string;
  fix: string;
}

const answerWith = (status: number, type: string, body: string, headers = {}) =>
  serveHandler((_, outgoing) => outgoing.writeHead(status, { 'Content-Type': type, ...headers }).end(body));
const other = (text: string) => ({ SUPPORT_API_KEY: text });

const problems: Problem[] = [
  {
    problem: 'a wrong key',
    change: () => other('dsk_wrong'),
    expected: 'fail service-key',
    fix: 'Put a valid key',
  },
  {
    problem: 'a revoked key',
    change() {
      const { key, id } = service.addWorkspace();
      revokeKey(service.db, id, listKeys(service.db, id)[0]!.id, new Date());
      return other(key);
    },
    expected: 'fail service-key',
    fix: 'Put a valid key',
  },
  {
    problem: 'a first key that is refused beside one that works',
    change: () => other(`dsk_wrong,${service.workspace.key}`),
    expected: 'warn service-key',
    fix: 'Take the first key out',
  },
  {
    problem: 'a service that is down',
    change: () => ({ SUPPORT_API_URL: 'http://127.0.0.1:1' }),
    expected: 'fail service-reachable',
    fix: 'Check host and port',
  },
  {
    problem: 'a file of the key that cannot be read',
    change: () => ({ SUPPORT_API_KEY: '', SUPPORT_API_KEY_FILE: '/nowhere/key' }),
    expected: 'fail service-reachable',
    fix: 'Put the key into that file',
  },
  {
    problem: 'a setting with a misspelt name',
    change: () => ({ BRAND_COLOUR: '#123456', PATH: '/bin', POSTGRES_PORT: '1' }),
    expected: 'warn configuration-names',
    fix: 'Correct the names',
  },
  {
    problem: 'a wildcard in ALLOWED_ORIGINS, and an app, whose pages are on the device',
    change: () => ({ ALLOWED_ORIGINS: 'https://*.other.test,capacitor://localhost,http://tauri.localhost' }),
    tampering: {
      answer({ headers }) {
        const policy = headers['content-security-policy'];
        const ancestors = 'frame-ancestors https://*.other.test capacitor://localhost http://tauri.localhost';
        if (policy)
          headers['content-security-policy'] = String(policy).replace(/frame-ancestors [^;]*/, ancestors);
      },
    },
    expected: 'warn configuration-risks',
    fix: 'Name the sites one by one',
  },
  {
    problem: 'a wrong path of the service',
    change: (_, url) => ({ SUPPORT_API_URL: `${url}/elsewhere` }),
    expected: 'fail service-path',
    fix: 'Check the path',
  },
  {
    problem: 'a page where the service should be',
    change: async () => ({ SUPPORT_API_URL: await answerWith(200, 'text/html', '<h1>Hello</h1>') }),
    expected: 'fail service-path',
    fix: 'not a v1 ticket service',
  },
  {
    problem: 'the path of the API appended twice',
    change: (_, url) => ({ SUPPORT_API_URL: `${url}/api/v1` }),
    expected: 'fail service-url',
    fix: 'Take /api/v1 from the end',
  },
  {
    problem: 'a service with errors of its own',
    change: async () => ({ SUPPORT_API_URL: await answerWith(500, 'text/plain', 'oh') }),
    expected: 'fail service-answers',
    fix: 'Look into the logs',
  },
  {
    problem: 'clocks that are apart',
    context: { now: () => Date.now() + 60_000 },
    expected: 'fail service-clock',
    fix: 'NTP',
  },
  {
    problem: 'a DATA_DIR that is a file',
    change: ({ dataDir }) => ({ DATA_DIR: join(dataDir, 'deskside.db') }),
    expected: 'fail store-directory',
    fix: 'Set DATA_DIR to a folder',
  },
  {
    problem: 'a store that others may read',
    change: ({ dataDir }) => chmodSync(join(dataDir, 'deskside.db'), 0o644),
    expected: 'fail store-private',
    fix: 'chmod 600',
  },
  {
    problem: 'a damaged store',
    change({ dataDir }) {
      const folder = join(dataDir, 'damaged');
      mkdirSync(folder);
      writeFileSync(join(folder, 'deskside.db'), 'no database at all'.repeat(99), { mode: 0o600 });
      return { DATA_DIR: folder };
    },
    expected: 'fail store-readable',
    fix: 'Put a good copy',
  },
  {
    problem: 'a store of another version',
    async change({ dataDir }) {
      const sqlite = new Database(join(dataDir, 'deskside.db'), { timeout: 0 });
      // The store is locked while the BFF writes.
      await until(() => sqlite.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')"));
      sqlite.close();
    },
    expected: 'fail store-schema',
    fix: 'Install that version',
  },
  {
    problem: 'a store whose lock another program holds',
    async change({ dataDir }) {
      const sqlite = new Database(join(dataDir, 'deskside.db'), { timeout: 0 });
      await until(() => sqlite.exec('BEGIN IMMEDIATE'));
      closing.push(() => sqlite.close());
    },
    expected: 'fail store-writable',
    fix: 'Stop what opens the file',
  },
  {
    problem: 'another secret key',
    change: () => ({ SECRET_KEY: 'another one, just as long as it must be' }),
    expected: 'fail store-secret',
    fix: 'Set SECRET_KEY',
  },
  {
    problem: 'a missing secret key',
    change: () => ({ SECRET_KEY: '' }),
    expected: 'fail store-secret',
    fix: 'secret-key back into DATA_DIR',
  },
  {
    problem: 'an origin with a path',
    change: () => ({ ALLOWED_ORIGINS: 'https://shop.test/shop' }),
    expected: 'fail configuration',
    fix: 'Correct the named settings',
  },
  {
    problem: 'an origin without TLS',
    change: () => ({ ALLOWED_ORIGINS: 'http://shop.test' }),
    tampering: {
      answer({ headers }) {
        const policy = headers['content-security-policy'];
        if (policy) headers['content-security-policy'] = String(policy).replaceAll('https:', 'http:');
      },
    },
    expected: 'warn origins-encrypted',
    fix: 'Serve these sites by https',
  },
  {
    problem: 'a PUBLIC_URL without TLS',
    change: () => ({ PUBLIC_URL: 'http://support.test' }),
    expected: 'fail public-url',
    fix: 'proxy that ends TLS',
  },
  {
    problem: 'a BFF that is not running',
    change: () => ({ PUBLIC_URL: 'http://127.0.0.1:1' }),
    expected: 'fail public-reachable',
    fix: 'Start the BFF',
  },
  {
    problem: 'a proxy whose BFF is away',
    change: async () => ({ PUBLIC_URL: await answerWith(502, 'text/html', 'Bad Gateway') }),
    expected: 'fail public-reachable',
    fix: 'HOST and PORT',
  },
  {
    problem: 'a redirect at PUBLIC_URL',
    change: async () => ({
      PUBLIC_URL: await answerWith(301, 'text/html', '', { Location: 'https://support.test' }),
    }),
    expected: 'fail public-reachable',
    fix: 'Set PUBLIC_URL to the address',
  },
  {
    problem: 'another application at PUBLIC_URL',
    change: async () => ({ PUBLIC_URL: await answerWith(200, 'text/html', 'Welcome') }),
    expected: 'fail public-app',
    fix: 'Another application',
  },
  {
    problem: 'another version at PUBLIC_URL',
    context: { build: { version: '1.2.4', widgetDir: '' } },
    expected: 'warn public-app',
    fix: 'Restart the BFF',
  },
  {
    problem: 'a proxy that drops the header of the gate',
    tampering: { request: (headers) => delete headers['x-deskside'] },
    expected: 'fail public-gate',
    fix: 'X-Deskside',
  },
  {
    problem: 'a proxy that drops Origin',
    tampering: { request: (headers) => delete headers['origin'] },
    expected: 'fail public-gate',
    fix: 'header Origin',
  },
  {
    problem: 'a proxy that takes no large requests',
    tampering: { maxBytes: 1_000_000 },
    expected: 'fail files-proxy',
    fix: 'client_max_body_size',
  },
  {
    problem: 'a proxy that changes scripts',
    tampering: { answer: ({ path }) => (path === '/widget.js' ? 'optimized()' : undefined) },
    expected: 'warn public-widget',
    fix: 'Turn off what changes scripts',
  },
  {
    problem: 'a proxy that drops Content-Security-Policy',
    tampering: { answer: ({ headers }) => void delete headers['content-security-policy'] },
    expected: 'fail public-frame',
    fix: 'Content-Security-Policy',
  },
  {
    problem: 'a proxy that adds X-Frame-Options',
    tampering: { answer: ({ headers }) => void (headers['x-frame-options'] = 'DENY') },
    expected: 'fail public-frame',
    fix: 'neither another one nor X-Frame-Options',
  },
  {
    problem: 'a BFF that was started with other origins',
    change: () => ({ ALLOWED_ORIGINS: 'https://shop.test,https://new.test' }),
    expected: 'fail public-frame',
    fix: 'Start the BFF again with these ALLOWED_ORIGINS',
  },
  {
    problem: 'a proxy with error pages of its own',
    tampering: {
      answer({ status, headers }) {
        if (status < 400) return;
        headers['content-type'] = 'text/html';
        return '<h1>Not found</h1>';
      },
    },
    expected: 'fail public-errors',
    fix: 'proxy_intercept_errors',
  },
  {
    problem: 'a proxy that is not trusted',
    trustedProxies: 0,
    expected: 'fail public-hops',
    fix: 'Set TRUST_PROXY to 1',
  },
  {
    problem: 'a proxy that adds no address',
    tampering: { request: (headers) => delete headers['x-forwarded-for'] },
    expected: 'fail public-hops',
    fix: 'Let each proxy add the address',
  },
  {
    problem: 'a proxy too many that is trusted',
    trustedProxies: 2,
    expected: 'fail public-hops',
    fix: 'after those of the proxies before it. Only if no more than 1 stand',
  },
  {
    problem: 'a proxy that drops Set-Cookie',
    tampering: { answer: ({ headers }) => void delete headers['set-cookie'] },
    expected: 'fail public-set-cookie',
    fix: 'Set-Cookie',
  },
  {
    problem: 'a proxy that drops Secure',
    tampering: {
      answer({ headers }) {
        const cookies = headers['set-cookie'];
        if (cookies) headers['set-cookie'] = cookies.map((cookie) => cookie.replace('; Secure', ''));
      },
    },
    expected: 'fail public-set-cookie',
    fix: 'Set-Cookie',
  },
  {
    problem: 'a proxy that drops cookies',
    tampering: { request: (headers) => delete headers['cookie'] },
    expected: 'fail public-session',
    fix: 'Cookie and Authorization',
  },
  {
    problem: 'a proxy that buffers',
    tampering: { isBuffering: true },
    context: { patienceMs: 3_000 },
    expected: 'fail public-streams',
    fix: 'proxy_buffering off',
  },
];

it.each(problems)('$problem is the only problem found, with what to do', async (row) => {
  const { change, tampering, trustedProxies, context, expected, fix } = row;
  const standing = await start(tampering, trustedProxies);
  const settings = await change?.(standing, standing.env['SUPPORT_API_URL']!);
  const results = await runAllChecks({ ...standing.env, ...settings }, context);
  expect(found(results)).toEqual([expected]);
  expect(results.find(({ name }) => expected.endsWith(` ${name}`))!.fix).toContain(fix);
});

it('a check that depends on a failed one is skipped, and names it', async () => {
  const results = await runAllChecks({});
  expect(found(results)).toEqual(['fail configuration']);
  const rest = results.slice(2).map(({ level, says }) => `${level}: ${says}`);
  expect(new Set(rest.slice(0, 3))).toEqual(new Set(['skip: not tried: configuration failed']));
  expect(rest).toContain('skip: not tried: public-session was skipped');
});
