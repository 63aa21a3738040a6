import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, parseConfig, warningsOf } from './config.ts';

const enough = {
  SUPPORT_API_URL: 'https://tickets.example.com/',
  SUPPORT_API_KEY: 'key-1',
  ALLOWED_ORIGINS: 'https://www.example.com, http://localhost:8080',
};

const errorsOf = (env: Record<string, string>) => {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

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

  it('names every error in one message', () => {
    const message = errorsOf({ PORT: 'x', TICKET_FOOTER: 'maybe', SECRET_KEY: 'short' });
    for (const name of ['SUPPORT_API_URL', 'ALLOWED_ORIGINS', 'PORT', 'TICKET_FOOTER', 'SECRET_KEY'])
      expect(message).toContain(name);
  });

  it.each(['NOTIFY_EMAIL', 'CONFIRM_EMAIL'])('accepts %s only with a mail server', (name) => {
    expect(errorsOf({ ...enough, [name]: 'on' })).toContain('SMTP_URL: is required with NOTIFY_EMAIL=on');
    const server = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'support@shop.test' };
    expect(errorsOf({ ...enough, ...server, [name]: 'on' })).toBe('');
  });

  it('turns mails about tickets off by default', () => {
    const server = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'support@shop.test' };
    expect(parseConfig({ ...enough, ...server })).toMatchObject({
      notifications: null,
      hasConfirmations: false,
    });
    expect(parseConfig({ ...enough, ...server, NOTIFY_EMAIL: 'on' }).notifications).toEqual({
      afterMs: 300_000,
    });
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
      SMTP_URL: 'smtp://mail.test',
      MAIL_FROM: 'nobody',
    });
    expect(message.split('\n').slice(1)).toEqual([
      expect.stringContaining('MAIL_FROM: must contain an address'),
      expect.stringContaining('SETTLE_MS: must be a whole number'),
    ]);
  });

  it('treats an empty variable as not set', () => {
    expect(parseConfig({ ...enough, PORT: '', BRAND_NAME: '' })).toMatchObject({ port: 4000, brand: null });
  });

  it.each([
    ['#A8482A', '#a8482a'],
    ['a8482a', '#a8482a'],
    ['#b53', '#bb5533'],
  ])('takes the colour %s of the brand as %s', (text, color) => {
    expect(parseConfig({ ...enough, BRAND_COLOR: text }).brandColor).toBe(color);
  });

  it.each(['red', '#a8482', 'rgb(1,2,3)', '#a8482a;}', 'terracota', '"#a8482a"'])(
    'refuses the colour %s',
    (text) => expect(errorsOf({ ...enough, BRAND_COLOR: text })).toContain('BRAND_COLOR: must be a colour'),
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
    'https://www.example.com/',
    '*',
    'https://*.example.com',
    'www.example.com',
    'null',
    'ftp://x.example',
  ])('refuses %s as an allowed origin', (value) => {
    const refused = errorsOf({ ...enough, ALLOWED_ORIGINS: value });
    expect(refused).toContain('ALLOWED_ORIGINS');
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

  it('requires a sender with a mail server', () => {
    expect(errorsOf({ ...enough, SMTP_URL: 'smtp://mail.example.com' })).toContain('MAIL_FROM');
    expect(errorsOf({ ...enough, SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@b.co' })).toContain('SMTP_URL');
    const mail = { url: 'smtp://mail.example.com', from: 'a@b.co' };
    expect(parseConfig({ ...enough, SMTP_URL: mail.url, MAIL_FROM: mail.from }).mail).toEqual(mail);
  });

  it.each(['short', 'whsec_not base64', 'whsec_c2hvcnQ=', 'a'.repeat(16) + ',' + 'b'.repeat(16) + ',c'])(
    'refuses %s as a webhook secret',
    (value) => expect(errorsOf({ ...enough, WEBHOOK_SECRET: value })).toContain('WEBHOOK_SECRET'),
  );

  it.each(['2h', '0 hours', 'soon', '2 months'])('refuses %j as the reply time', (value) =>
    expect(errorsOf({ ...enough, REPLY_TIME: value })).toContain('REPLY_TIME'),
  );

  it.each(['/nowhere', 'package.json'])('refuses %s as the folder of articles', (value) =>
    expect(errorsOf({ ...enough, ARTICLES_DIR: value })).toContain('ARTICLES_DIR: must be a folder'),
  );

  it('reads the folder of articles, and has none by default', () => {
    expect(parseConfig({ ...enough, ARTICLES_DIR: 'docs' }).articlesDir).toBe('docs');
    expect(parseConfig(enough).articlesDir).toBeNull();
  });

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

  it('reads a collector of traces from the usual names, and has none by default', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' };
    const usual = {
      endpoint: 'http://localhost:4318',
      headers: {},
      serviceName: 'deskside-bff',
      sampleRatio: 1,
    };
    expect(parseConfig({ ...enough, OTEL_SERVICE_NAME: 'support' }).tracing).toBeNull();
    expect(parseConfig({ ...enough, ...endpoint }).tracing).toEqual(usual);
    const all = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-team=a b',
      OTEL_SERVICE_NAME: 'support',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(parseConfig({ ...enough, ...endpoint, ...all }).tracing).toEqual({
      ...usual,
      headers: { authorization: 'Basic YTpi==', 'x-team': 'a b' },
      serviceName: 'support',
      sampleRatio: 0.25,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'canary'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'canary=%zz'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'canary=a%0Ab'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '-1'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
  ])('refuses %s=%s', (name, value) => {
    const message = errorsOf({ ...enough, [name]: value });
    expect(message).toContain(`${name}: must be`);
    expect(message).not.toContain('canary');
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

  it('about a public address behind TLS where no proxy is trusted', () => {
    const PUBLIC_URL = 'https://support.example.com';
    expect(warned({ PUBLIC_URL })).toBe('proxies_not_set');
    expect(warned({ PUBLIC_URL, TRUST_PROXY: '1' })).toBe('');
    expect(warned({})).toBe('');
  });

  it('about headers of the collector that travel unencrypted', () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.example.com:4318';
    const OTEL_EXPORTER_OTLP_HEADERS = 'x-key=1';
    expect(warned({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS })).toBe(
      'collector_headers_unencrypted',
    );
    expect(warned({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe('');
  });

  it('about a key that travels unencrypted', () => {
    expect(warned({ SUPPORT_API_URL: 'http://tickets.example.com' })).toBe('api_key_unencrypted');
    expect(warned({ SUPPORT_API_URL: 'http://localhost:4001' })).toBe('');
  });
});

describe('FORM_FILE', () => {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-form-'));
  const file = join(dir, 'form.json');
  afterAll(() => rmSync(dir, { recursive: true }));

  it('is read, and is off by default', () => {
    writeFileSync(file, JSON.stringify({ topics: [{ id: 'order', label: 'My order' }] }));
    expect(parseConfig({ ...enough, FORM_FILE: file }).form).toMatchObject({ topics: [{ id: 'order' }] });
    expect(parseConfig(enough).form).toBeNull();
  });

  it('with errors has all of them named in one message', () => {
    writeFileSync(file, JSON.stringify({ topics: [{ id: 'Order', label: 'My order' }, { id: 'a' }] }));
    const message = errorsOf({ ...enough, FORM_FILE: file, PORT: 'x' });
    expect(message).toContain('FORM_FILE: topics[0].id: must be');
    expect(message).toContain('FORM_FILE: topics[1].label: must be');
    expect(message).toContain('PORT:');
  });

  it('that cannot be read is an error', () => {
    expect(errorsOf({ ...enough, FORM_FILE: join(dir, 'none.json') })).toContain(
      'FORM_FILE: cannot be read (ENOENT)',
    );
  });

  it('requires the line for agents', () => {
    writeFileSync(file, JSON.stringify({ topics: [{ id: 'order', label: 'My order' }] }));
    expect(errorsOf({ ...enough, FORM_FILE: file, TICKET_FOOTER: 'off' })).toContain(
      'TICKET_FOOTER: must be on',
    );
  });
});
