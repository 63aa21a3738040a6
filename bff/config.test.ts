import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';

const enough = {
  SUPPORT_API_URL: 'https://tickets.example.com/',
  SUPPORT_API_KEY: 'key-1',
  ALLOWED_ORIGINS: 'https://www.example.com, http://localhost:8080',
};

const faultsOf = (env: Record<string, string>) => {
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
    });
  });

  it('takes two keys, and the public address from the port', () => {
    const config = parseConfig({ ...enough, SUPPORT_API_KEY: 'new, old', PORT: '9000' });
    expect(config.upstream.keys).toEqual(['new', 'old']);
    expect(config.publicUrl).toBe('http://localhost:9000');
  });

  it('names every fault in one message', () => {
    const message = faultsOf({ PORT: 'x', TICKET_FOOTER: 'maybe', SECRET_KEY: 'short' });
    for (const name of ['SUPPORT_API_URL', 'ALLOWED_ORIGINS', 'PORT', 'TICKET_FOOTER', 'SECRET_KEY'])
      expect(message).toContain(name);
  });

  it('counts an empty variable as not set', () => {
    expect(parseConfig({ ...enough, PORT: '', BRAND_NAME: '' })).toMatchObject({ port: 4000, brand: null });
  });

  it('wants one source of keys, not none and not two', () => {
    expect(faultsOf({ ...enough, SUPPORT_API_KEY: '' })).toContain('SUPPORT_API_KEY');
    expect(faultsOf({ ...enough, SUPPORT_API_KEY_FILE: '/run/key' })).toContain('SUPPORT_API_KEY');
    expect(faultsOf({ ...enough, SUPPORT_API_KEY: 'a,b,c' })).toContain('SUPPORT_API_KEY');
  });

  it.each([
    'https://www.example.com/',
    '*',
    'https://*.example.com',
    'www.example.com',
    'null',
    'ftp://x.example',
  ])('refuses %s as an allowed origin', (value) => {
    const refused = faultsOf({ ...enough, ALLOWED_ORIGINS: value });
    expect(refused).toContain('ALLOWED_ORIGINS');
  });

  it('never repeats a value, since it may be a secret', () => {
    const message = faultsOf({
      ...enough,
      SUPPORT_API_KEY: 'canary key',
      SECRET_KEY: 'canary',
      PUBLIC_URL: 'canary',
    });
    expect(message).toContain('PUBLIC_URL');
    expect(message).not.toContain('canary');
  });
});
