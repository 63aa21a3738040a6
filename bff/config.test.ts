import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { misspelt, parseConfig, warningsOf } from './config.ts';
import { enough, errorsOf } from './testing/settings.ts';

describe('parseConfig', () => {
  it('needs three variables only', () => {
    const config = parseConfig(enough);
    expect(config).toMatchObject({
      upstream: { url: 'https://tickets.example.com', keys: ['key-1'], timeoutMs: 10_000 },
      allowedOrigins: ['https://www.example.com', 'http://localhost:8080'],
      publicUrl: 'http://localhost:4000',
      hasFooter: true,
      clientOrigins: [],
      hasPlayground: false,
    });
  });

  it('takes two keys, and the public address from the port', () => {
    const config = parseConfig({ ...enough, SUPPORT_API_KEY: 'new, old', PORT: '9000' });
    expect(config.upstream.keys).toEqual(['new', 'old']);
    expect(config.publicUrl).toBe('http://localhost:9000');
  });

  it('takes an IPv6 address to listen on with the brackets that it has in a URL', () => {
    const { host, adminHost } = parseConfig({ ...enough, HOST: '[::]', ADMIN_HOST: '::1' });
    expect([host, adminHost]).toEqual(['::', '::1']);
  });

  it('names every error in one message', () => {
    const message = errorsOf({ PORT: 'x', TICKET_FOOTER: 'maybe', SECRET_KEY: 'short' });
    for (const name of ['SUPPORT_API_URL', 'ALLOWED_ORIGINS', 'PORT', 'TICKET_FOOTER', 'SECRET_KEY'])
      expect(message).toContain(name);
  });

  it('names a missing key together with the other errors', () => {
    const message = errorsOf({ PORT: 'x' });
    for (const name of ['SUPPORT_API_URL', 'SUPPORT_API_KEY', 'ALLOWED_ORIGINS', 'PORT'])
      expect(message).toContain(`${name}: `);
  });

  it('reports a rule about two variables only where both are valid', () => {
    const message = errorsOf({
      ...enough,
      SETTLE_MS: 'soon',
      DATABASE_URL: 'postgres://db.test/a',
      SECRET_KEY: 'short',
    });
    expect(message.split('\n').slice(1)).toEqual([
      expect.stringContaining('SECRET_KEY: must be at least'),
      expect.stringContaining('SETTLE_MS: must be a whole number'),
    ]);
  });

  it('treats an empty variable as not set', () => {
    expect(parseConfig({ ...enough, PORT: '', BRAND_NAME: '' })).toMatchObject({ port: 4000, brand: null });
  });

  it.each([
    ['#A8482A', '#a8482a'],
    ['a8482a', '#a8482a'],
    ['"#a8482a"', '#a8482a'],
    ['#b53', '#bb5533'],
  ])('takes the colour %s of the brand as %s', (text, color) => {
    expect(parseConfig({ ...enough, BRAND_COLOR: text }).brandColor).toBe(color);
  });

  it.each(['red', '#a8482', 'rgb(1,2,3)', '#a8482a;}', 'terracota'])('refuses the colour %s', (text) =>
    expect(errorsOf({ ...enough, BRAND_COLOR: text })).toContain('BRAND_COLOR: must be a colour'),
  );

  it.each([
    'https://cdn.example.com/logo.png?v=2',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:image/svg+xml,%3Csvg/%3E',
  ])('takes the logo %s', (text) =>
    expect(parseConfig({ ...enough, BRAND_LOGO: text }).brandLogo).toBe(text),
  );

  it.each([
    'http://cdn.example.com/logo.png',
    '/logo.png',
    'https://user:secret@example.com/l.png',
    'data:text/html,<b>',
    'data:image/svg+xml,<svg/>',
    'https://a.example/"><script>',
    'javascript:alert(1)',
    `data:image/png;base64,${'A'.repeat(32_768)}`,
  ])('refuses a logo such as %.40s', (text) => {
    expect(errorsOf({ ...enough, BRAND_LOGO: text })).toContain('BRAND_LOGO: must');
  });

  it('requires exactly one source of keys', () => {
    expect(errorsOf({ ...enough, SUPPORT_API_KEY: '' })).toContain('SUPPORT_API_KEY');
    expect(errorsOf({ ...enough, SUPPORT_API_KEY_FILE: '/run/key' })).toContain('SUPPORT_API_KEY');
    expect(errorsOf({ ...enough, SUPPORT_API_KEY: 'a,b,c' })).toContain('SUPPORT_API_KEY');
  });

  it.each([
    '*',
    'https://*',
    'https://*.com',
    'http://*.example.com',
    'https://www.*.example.com',
    'https://*.EXAMPLE.com',
    'https://*.com:8443',
    'https://*.example.com.',
    'https://*.example.com:443',
    'https://*.example.com:99999',
    'https://*.10.0.0.1',
    'https://*.bücher.example',
    'https://www.example.com.',
    'https://www.example.com.:8443',
    'capacitor://localhost/index.html',
    'capacitor://*.example.com',
    'app://',
    'tauri://localhost:80',
    'file:///',
    'javascript://x',
    'www.example.com',
    'null',
    'ftp://x.example',
  ])('refuses %s as an allowed origin', (value) => {
    const refused = errorsOf({ ...enough, ALLOWED_ORIGINS: value });
    expect(refused).toContain('ALLOWED_ORIGINS');
  });

  it('takes apps as sites of the headless client, and no wildcard', () => {
    const app = 'capacitor://localhost';
    expect(parseConfig({ ...enough, CLIENT_ORIGINS: app }).clientOrigins).toEqual([app]);
    expect(errorsOf({ ...enough, CLIENT_ORIGINS: 'https://*.example.com' })).toContain('no wildcard');
  });

  it.each([
    ['https://www.example.com/support/', 'https://www.example.com/support'],
    ['https://www.example.com/a/help.desk_2', 'https://www.example.com/a/help.desk_2'],
  ])('takes %s as the public address', (value, publicUrl) => {
    expect(parseConfig({ ...enough, PUBLIC_URL: value })).toMatchObject({ publicUrl });
  });

  it.each([
    ['https://www.example.com/a b', 'a path of letters'],
    ['https://www.example.com/%2e', 'a path of letters'],
    ['https://www.example.com//x', 'a path of letters'],
    ['https://www.example.com/x;y', 'a path of letters'],
    ['https://www.example.com/api', 'must not begin its path'],
    ['https://www.example.com/assets/support', 'must not begin its path'],
    ['https://www.example.com/support?x', 'without credentials, query or fragment'],
  ])('refuses %s as the public address', (value, reason) => {
    expect(errorsOf({ ...enough, PUBLIC_URL: value })).toMatch(new RegExp(`PUBLIC_URL: .*${reason}`));
  });

  it('takes a Unix socket as the port, with a proxy and a public address', () => {
    const socket = { ...enough, PORT: '/run/deskside.sock' };
    const PUBLIC_URL = 'https://support.example.com';
    expect(parseConfig({ ...socket, PUBLIC_URL, TRUST_PROXY: '1' }).port).toBe('/run/deskside.sock');
    expect(errorsOf({ ...socket, PUBLIC_URL })).toContain('PORT: a socket needs PUBLIC_URL, and TRUST_PROXY');
    expect(errorsOf({ ...socket, TRUST_PROXY: '1' })).toContain('PORT: a socket needs PUBLIC_URL');
    for (const wrong of ['x', '65536', './deskside.sock', `/run/${'a'.repeat(99)}`])
      expect(errorsOf({ ...enough, PORT: wrong })).toContain('PORT: must be a port, or the path of a socket');
  });

  it.each([
    'postgres:///deskside?host=/var/run/postgresql',
    'postgres://ada:secret@/deskside?host=/var/run/postgresql',
    'postgres://ada@%2Fvar%2Frun%2Fpostgresql/deskside',
  ])('takes the socket of a database server by %s', (DATABASE_URL) => {
    expect(parseConfig({ ...enough, DATABASE_URL, SECRET_KEY: 'x'.repeat(32) }).place).toMatchObject({
      databaseUrl: DATABASE_URL,
    });
  });

  it.each([
    'postgres://ada:p@ss/word@db.test:5432/deskside',
    'postgres://ada:pass#word@db.test/deskside',
    'postgres://ada:pass?word@db.test/deskside',
    'postgres://ada@a.test:5432,b.test:5432/deskside',
    'postgres://ada@a.test,b.test/deskside?target_session_attrs=read-write',
    'jdbc:postgresql://db.test/deskside',
  ])('says what %s lacks as the URL of a database', (DATABASE_URL) => {
    const errors = errorsOf({ ...enough, DATABASE_URL, SECRET_KEY: 'x'.repeat(32) });
    expect(errors).toContain('DATABASE_URL: must be a postgres URL of one host, with # / ? @');
  });

  it('takes a password of any characters in the URL of a database', () => {
    const DATABASE_URL = `postgres://ada:${encodeURIComponent('p@ss/w?rd#1,:%')}@[::1]:5432/deskside`;
    const { place } = parseConfig({ ...enough, DATABASE_URL, SECRET_KEY: 'x'.repeat(32) });
    expect(place).toMatchObject({ databaseUrl: DATABASE_URL });
  });

  it('says why a variable of Kubernetes is no port', () => {
    const errors = errorsOf({ ...enough, ADMIN_PORT: 'tcp://10.0.0.1:4100' });
    expect(errors).toContain('enableServiceLinks: false');
    expect(errors).not.toContain('whole number');
  });

  it('accepts only one way of knowing customers, and public keys only', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const secret = 'x'.repeat(32);
    const asOneLine = pem.replaceAll('\n', '\\n');
    expect(parseConfig({ ...enough, IDENTITY_PUBLIC_KEY: asOneLine }).identity).toMatchObject({
      publicKey: pem,
      audience: 'http://localhost:4000',
    });
    const wrong = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(errorsOf({ ...enough, IDENTITY_PUBLIC_KEY: wrong })).toContain('IDENTITY_PUBLIC_KEY');
    expect(errorsOf({ ...enough, IDENTITY_PUBLIC_KEY: pem, IDENTITY_SECRET: secret })).toContain('only one');
    expect(errorsOf({ ...enough, IDENTITY_SECRET: 'short' })).toContain('IDENTITY_SECRET');
  });

  it.each(['short', 'whsec_not base64', 'whsec_c2hvcnQ=', 'a'.repeat(16) + ',' + 'b'.repeat(16) + ',c'])(
    'refuses %s as a webhook secret',
    (value) => expect(errorsOf({ ...enough, WEBHOOK_SECRET: value })).toContain('WEBHOOK_SECRET'),
  );

  it.each(['2h', '0 hours', 'soon', '2 months'])('refuses %j as the reply time', (value) =>
    expect(errorsOf({ ...enough, REPLY_TIME: value })).toContain('REPLY_TIME'),
  );

  it('reads the hours of support and the reply time, and names errors in the hours', () => {
    const { schedule, replyTime } = parseConfig({
      ...enough,
      SUPPORT_HOURS: 'Mo-Fr 09:00-17:00 Europe/Berlin',
      REPLY_TIME: '1 day',
    });
    expect(schedule?.zone).toBe('Europe/Berlin');
    expect(replyTime).toEqual({ count: 1, unit: 'day' });
    expect(errorsOf({ ...enough, SUPPORT_HOURS: 'Mo-Fr 09:00-17:00' })).toContain('one time zone');
  });

  it('reads the notice with its times, and the links of the start', () => {
    const { notice, links } = parseConfig({
      ...enough,
      NOTICE: 'We are late.',
      NOTICE_UNTIL: '2026-12-08T08:00+01:00',
      START_LINKS: 'Delivery times https://shop.test/delivery; Call us  tel:+4930123 ;',
    });
    expect(notice).toEqual({ text: 'We are late.', until: Date.parse('2026-12-08T07:00Z') });
    const written = { en: 'We are late.', 'pt-BR': 'Estamos atrasados.' };
    expect(parseConfig({ ...enough, NOTICE: JSON.stringify(written) }).notice).toEqual({ text: written });
    expect(links).toEqual([
      { label: 'Delivery times', url: 'https://shop.test/delivery' },
      { label: 'Call us', url: 'tel:+4930123' },
    ]);
  });

  it.each([
    [
      'A https://shop.test/a;size=4; B https://shop.test/b;',
      'https://shop.test/a;size=4',
      'https://shop.test/b',
    ],
    [
      'A https://shop.test/a;size=4;B https://shop.test/b',
      'https://shop.test/a;size=4',
      'https://shop.test/b',
    ],
    ['A mailto:a@shop.test;b@shop.test', 'mailto:a@shop.test;b@shop.test'],
    ['A https://shop.test/a;b=1;c=2', 'https://shop.test/a;b=1;c=2'],
  ])('reads the semicolons of addresses in %j', (START_LINKS, ...urls) =>
    expect(parseConfig({ ...enough, START_LINKS }).links.map(({ url }) => url)).toEqual(urls),
  );

  it.each([
    ['START_LINKS', { START_LINKS: 'Steal javascript:alert(1)' }],
    ['START_LINKS', { START_LINKS: 'https://shop.test/returns' }],
    ['START_LINKS', { START_LINKS: 'Good https://shop.test; bad' }],
    ['START_LINKS', { START_LINKS: Array(7).fill('Returns https://shop.test').join(';') }],
    ['NOTICE_FROM', { NOTICE: 'Late', NOTICE_FROM: '2026-12-08' }],
    ['NOTICE_FROM', { NOTICE: 'Late', NOTICE_FROM: '2026-13-08T08:00Z' }],
    ['NOTICE_UNTIL', { NOTICE: 'Late', NOTICE_FROM: '2026-12-08T08:00Z', NOTICE_UNTIL: '2026-12-08T08:00Z' }],
    ['NOTICE', { NOTICE_UNTIL: '2026-12-08T08:00Z' }],
    ['NOTICE', { NOTICE: '{"en":"Late"' }],
    ['NOTICE', { NOTICE: '{}' }],
    ['NOTICE', { NOTICE: '{"en":""}' }],
    ['NOTICE', { NOTICE: '{"english":"Late"}' }],
    ['NOTICE', { NOTICE: 'x'.repeat(301) }],
  ])('names %s as wrong in %j', (name, wrong) => expect(errorsOf({ ...enough, ...wrong })).toContain(name));

  it.each(['-1', '11', 'true'])('refuses %s as the number of proxies', (value) =>
    expect(errorsOf({ ...enough, TRUST_PROXY: value })).toContain('TRUST_PROXY'),
  );

  it('accepts a read rate from 1 to 1,000 a second, with 20 as default', () => {
    expect(parseConfig(enough).readsPerSecond).toBe(20);
    expect(parseConfig({ ...enough, UPSTREAM_READS_PER_S: '100' }).readsPerSecond).toBe(100);
    for (const wrong of ['0', '1001', '2.5', 'fast'])
      expect(errorsOf({ ...enough, UPSTREAM_READS_PER_S: wrong })).toContain('UPSTREAM_READS_PER_S');
  });

  it('accepts limits for offices that share an address', () => {
    expect(parseConfig(enough).limits).toMatchObject({ requestsPerIp: 600, streamsPerIp: 60 });
    const office = { LIMIT_REQUESTS_PER_IP: '6000', LIMIT_STREAMS_PER_IP: '1000' };
    expect(parseConfig({ ...enough, ...office }).limits).toMatchObject({
      requestsPerIp: 6_000,
      streamsPerIp: 1_000,
    });
    for (const name of Object.keys(office)) expect(errorsOf({ ...enough, [name]: '0' })).toContain(name);
  });

  it('never repeats a value in an error, since it may be a secret [upstream-2]', () => {
    const message = errorsOf({
      ...enough,
      SUPPORT_API_KEY: 'canary key',
      SECRET_KEY: 'canary',
      PUBLIC_URL: 'canary',
    });
    expect(message).toContain('PUBLIC_URL');
    expect(message).not.toContain('canary');
  });
});

describe('parseConfig warns', () => {
  const warned = (env: Record<string, string>) => warningsOf(parseConfig({ ...enough, ...env })).join();

  it('about a wildcard and an app among the sites', () => {
    for (const wide of ['https://*.example.com', 'tauri://localhost'])
      expect(warned({ ALLOWED_ORIGINS: `https://example.com,${wide}` })).toBe('origins_wide');
  });

  it('about a public address behind TLS where no proxy is trusted', () => {
    const PUBLIC_URL = 'https://support.example.com';
    expect(warned({ PUBLIC_URL })).toBe('proxies_not_set');
    expect(warned({ PUBLIC_URL, TRUST_PROXY: '1' })).toBe('');
    expect(warned({})).toBe('');
  });

  it('about a key that travels unencrypted', () => {
    expect(warned({ SUPPORT_API_URL: 'http://tickets.example.com' })).toBe('api_key_unencrypted');
    expect(warned({ SUPPORT_API_URL: 'http://localhost:4001' })).toBe('');
  });
});

it.each([
  ['TRUST_PROXYS', [{ name: 'TRUST_PROXYS', meant: 'TRUST_PROXY' }]],
  ['ALLOWED_ORIGIN', [{ name: 'ALLOWED_ORIGIN', meant: 'ALLOWED_ORIGINS' }]],
  ['IDENTITY_SECRET_FLIE', [{ name: 'IDENTITY_SECRET_FLIE', meant: 'IDENTITY_SECRET_FILE' }]],
  ['PATH', []],
  ['HOSTNAME', []],
  ['SUPPORT_API_PORT', []],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', []],
  ['KUBERNETES_SERVICE_HOST', []],
])('a variable %s is taken for a misspelt setting only if it is like one', (name, found) => {
  expect(misspelt({ [name]: 'x' })).toEqual(found);
});
