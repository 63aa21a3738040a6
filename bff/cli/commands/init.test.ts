import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'deskside-init-')), '.env');
const read = (file: string) => parseEnv(readFileSync(file, 'utf8'));
const flags = (file: string) => [
  'init',
  '--file',
  file,
  '--support-api-url',
  'https://tickets.example.com',
  '--allowed-origins',
  'https://www.example.com',
  '--public-url',
  'https://support.example.com',
];
// This folder may have a store of its own, whose key would be kept.
const key = { SUPPORT_API_KEY: 'key-1', DATA_DIR: mkdtempSync(join(tmpdir(), 'deskside-init-data-')) };

it('init with flags writes a valid configuration with fresh secrets, for its owner only', async () => {
  const [one, other] = [newFile(), newFile()];
  expect((await runTestCommand(flags(one), key)).code).toBe(0);
  expect((await runTestCommand(flags(other), key)).code).toBe(0);
  expect(parseConfig(read(one))).toMatchObject({
    upstream: { url: 'https://tickets.example.com', keys: ['key-1'] },
    publicUrl: 'https://support.example.com',
    trustedProxies: 1,
  });
  for (const name of ['SECRET_KEY', 'WEBHOOK_SECRET']) expect(read(one)[name]).not.toBe(read(other)[name]);
  expect(statSync(one).mode & 0o777).toBe(0o600);
});

it('init at a terminal asks for what is missing, and again for what is not valid', async () => {
  const file = newFile();
  const answers = ['tickets', 'https://tickets.example.com', 'key-1', 'https://www.example.com', '', ''];
  const { code, stderr } = await runTestCommand(['init', '--file', file], {}, answers);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^SUPPORT_API_URL: must be/)]);
  expect(parseConfig(read(file)).publicUrl).toBe('http://localhost:4000');
});

it('init without a terminal names the flags that are missing, writes nothing and ends with 2', async () => {
  const file = newFile();
  const { code, stderr } = await runTestCommand(['init', '--file', file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--support-api-url')]);
  expect(existsSync(file)).toBe(false);
});

it('init with an invalid flag writes nothing and ends with 2', async () => {
  const file = newFile();
  const { code, stderr } = await runTestCommand([...flags(file), '--trust-proxy', 'some'], key);
  expect([code, stderr]).toEqual([2, expect.stringContaining('TRUST_PROXY')]);
  expect(existsSync(file)).toBe(false);
});

describe('init where a file exists', () => {
  const force = (file: string) => runTestCommand([...flags(file), '--force'], key);

  it('leaves it as it is', async () => {
    const file = newFile();
    writeFileSync(file, 'PORT=1\n', { mode: 0o644 });
    expect((await runTestCommand(flags(file), key)).code).toBe(2);
    expect(read(file)).toEqual({ PORT: '1' });
  });

  it('replaces it with --force, keeps its secrets and other settings, and the old file', async () => {
    const file = newFile();
    const old = `PORT=1\nSECRET_KEY=${'s'.repeat(40)}\nWEBHOOK_SECRET=hook-of-before-123456\nPUBLIC_URL=https://old.example.com\n`;
    writeFileSync(file, old, { mode: 0o644 });
    const { code, stdout } = await force(file);
    expect(code).toBe(0);
    expect(read(file)).toMatchObject({
      PORT: '1',
      SECRET_KEY: 's'.repeat(40),
      WEBHOOK_SECRET: 'hook-of-before-123456',
      PUBLIC_URL: 'https://support.example.com',
      SUPPORT_API_KEY: 'key-1',
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = /is in (\S+)\. /.exec(stdout)![1]!;
    expect([readFileSync(before, 'utf8'), statSync(before).mode & 0o777]).toEqual([old, 0o600]);
  });

  it('replaces with --force a setting that is in a file of its own by one that is given', async () => {
    const file = newFile();
    writeFileSync(file, 'SUPPORT_API_KEY_FILE=/nowhere/key\nALLOWED_ORIGINS_FILE=/nowhere/origins\n');
    expect((await force(file)).code).toBe(0);
    const { SUPPORT_API_KEY_FILE: keyFile, ALLOWED_ORIGINS_FILE: originsFile, ...set } = read(file);
    expect([keyFile, originsFile]).toEqual([undefined, undefined]);
    expect(set).toMatchObject({ SUPPORT_API_KEY: 'key-1', ALLOWED_ORIGINS: 'https://www.example.com' });
  });

  it('replaces a symbolic link, and leaves the file that it names', async () => {
    const [file, target] = [newFile(), newFile()];
    writeFileSync(target, 'PORT=4000');
    symlinkSync(target, file);
    expect((await force(file)).code).toBe(0);
    expect(readFileSync(target, 'utf8')).toBe('PORT=4000');
    expect(lstatSync(file).isSymbolicLink()).toBe(false);
  });
});
