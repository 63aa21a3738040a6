import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseConfig, warningsOf } from '../config.ts';
import { enough, errorsOf } from '../testing/settings.ts';
import { tracingOf } from './tracing/settings.ts';

describe('mail settings', () => {
  it.each(['NOTIFY_EMAIL', 'CONFIRM_EMAIL'])('accepts %s only with a mail server', (name) => {
    expect(errorsOf({ ...enough, [name]: 'on' })).toContain('SMTP_URL: is required with NOTIFY_EMAIL=on');
    const server = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'support@shop.test' };
    expect(errorsOf({ ...enough, ...server, [name]: 'on' })).toBe('');
  });

  it('turns mails about tickets off by default', () => {
    const server = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'support@shop.test' };
    expect(parseConfig({ ...enough, ...server }).values).toMatchObject({
      NOTIFY_EMAIL: 'off',
      NOTIFY_AFTER_MS: 300_000,
      CONFIRM_EMAIL: 'off',
    });
  });

  it('requires a sender with a mail server', () => {
    expect(errorsOf({ ...enough, SMTP_URL: 'smtp://mail.example.com' })).toContain('MAIL_FROM');
    expect(errorsOf({ ...enough, SMTP_URL: 'mail.example.com', MAIL_FROM: 'a@b.co' })).toContain('SMTP_URL');
    const mail = { url: 'smtp://mail.example.com', from: 'a@b.co' };
    const { values } = parseConfig({ ...enough, SMTP_URL: mail.url, MAIL_FROM: mail.from });
    expect(values).toMatchObject({ SMTP_URL: mail.url, MAIL_FROM: { name: '', address: mail.from } });
  });

  it('accepts {token} in MAIL_REPLY_TO only where answers are read', () => {
    const env = { ...enough, SMTP_URL: 'smtp://mail.test', MAIL_FROM: 's@example.com' };
    const withToken = { ...env, MAIL_REPLY_TO: 's+{token}@example.com' };
    expect(errorsOf(withToken)).toContain('MAIL_REPLY_TO: may have {token} only with MAIL_IN');
    expect(errorsOf({ ...withToken, MAIL_IN: 'imaps://s:p@mail.test/INBOX' })).toBe('');
  });

  it.each(['MAIL_FROM', 'MAIL_REPLY_TO'])('says what is wrong with %s', (name) => {
    const server = { SMTP_URL: 'smtp://mail.test', MAIL_FROM: 'Acme: Support <s@example.com>' };
    expect(errorsOf({ ...enough, ...server })).toBe('');
    expect(errorsOf({ ...enough, ...server, [name]: 'Acme s@example.com' })).toContain(
      `${name}: must be one address`,
    );
  });
});

describe('ARTICLES_DIR', () => {
  it.each(['/nowhere', 'package.json'])('refuses %s as the folder of articles', (value) =>
    expect(errorsOf({ ...enough, ARTICLES_DIR: value })).toContain('ARTICLES_DIR: must be a folder'),
  );

  it('reads the folder of articles, and has none by default', () => {
    expect(parseConfig({ ...enough, ARTICLES_DIR: 'docs' }).values).toMatchObject({ ARTICLES_DIR: 'docs' });
    expect(parseConfig(enough).values['ARTICLES_DIR']).toBeUndefined();
  });
});

describe('settings of traces', () => {
  it('reads a collector of traces from the usual names, and has none by default', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318/' };
    const usual = {
      endpoint: 'http://localhost:4318',
      headers: {},
      serviceName: 'deskside-bff',
      sampleRatio: 1,
    };
    expect(tracingOf(parseConfig({ ...enough, OTEL_SERVICE_NAME: 'support' }).values)).toBeNull();
    expect(tracingOf(parseConfig({ ...enough, ...endpoint }).values)).toEqual(usual);
    const all = {
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-team=a b',
      OTEL_SERVICE_NAME: 'support',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(tracingOf(parseConfig({ ...enough, ...endpoint, ...all }).values)).toEqual({
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

  it('warn about headers of the collector that travel unencrypted', () => {
    const warned = (env: Record<string, string>) => warningsOf(parseConfig({ ...enough, ...env })).join();
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector.example.com:4318';
    const OTEL_EXPORTER_OTLP_HEADERS = 'x-key=1';
    expect(warned({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS })).toBe(
      'collector_headers_unencrypted',
    );
    expect(warned({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe('');
  });
});

describe('FORM_FILE', () => {
  const dir = mkdtempSync(join(tmpdir(), 'deskside-form-'));
  const file = join(dir, 'form.json');
  afterAll(() => rmSync(dir, { recursive: true }));

  it('is read, and is off by default', () => {
    writeFileSync(file, JSON.stringify({ topics: [{ id: 'order', label: 'My order' }] }));
    expect(parseConfig({ ...enough, FORM_FILE: file }).values['FORM_FILE']).toMatchObject({
      topics: [{ id: 'order' }],
    });
    expect(parseConfig(enough).values['FORM_FILE']).toBeUndefined();
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
