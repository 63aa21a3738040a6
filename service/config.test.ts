import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';

describe('parseConfig', () => {
  it('has a default for everything', () => {
    expect(parseConfig({ PORT: '' })).toStrictEqual({
      host: '127.0.0.1',
      port: 4001,
      dataDir: '.data/service',
      publicUrl: 'http://localhost:4001',
      trustedProxies: 0,
      logLevel: 'info',
      fileHosts: [],
      maxFileBytes: 10_000_000,
    });
  });

  it('derives the public address from the port and takes a given one without its slash', () => {
    expect(parseConfig({ PORT: '80' }).publicUrl).toBe('http://localhost:80');
    expect(parseConfig({ PUBLIC_URL: 'https://desk.example.com/' }).publicUrl).toBe(
      'https://desk.example.com',
    );
  });

  it('names every error at once', () => {
    const parse = () =>
      parseConfig({
        PORT: '70000',
        PUBLIC_URL: 'ftp://x',
        TRUST_PROXY: 'yes',
        FILE_HOSTS: 'https://a.b/c',
        LOG_LEVEL: 'loud',
      });
    expect(parse).toThrow(/PORT: .*\n.*PUBLIC_URL: .*\n.*TRUST_PROXY: .*\n.*FILE_HOSTS: .*\n.*LOG_LEVEL: /);
  });
});
