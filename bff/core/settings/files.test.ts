import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';

const folder = mkdtempSync(join(tmpdir(), 'deskside-settings-'));
function fileWith(content: string): string {
  const file = join(folder, `setting-${Math.random()}`);
  writeFileSync(file, content);
  return file;
}
const enough = {
  SUPPORT_API_URL: 'https://tickets.example.com',
  SUPPORT_API_KEY: 'key-1',
  ALLOWED_ORIGINS: 'https://www.example.com',
};
const secret = 'a secret of more than thirty-two characters';

it('a setting is read from the file that NAME_FILE names, without surrounding space', () => {
  const { SUPPORT_API_URL, ...rest } = enough;
  const env = {
    ...rest,
    SECRET_KEY_FILE: fileWith(`${secret}\n`),
    SUPPORT_API_URL_FILE: fileWith(SUPPORT_API_URL),
  };
  expect(parseConfig(env)).toMatchObject({ secretKey: secret, upstream: { url: SUPPORT_API_URL } });
});

it('a setting has neither the quotes nor the space around it, which Docker hands on', () => {
  const env = {
    ...enough,
    SECRET_KEY: `'${secret}'`,
    ALLOWED_ORIGINS: '"https://www.example.com" ',
    PUBLIC_URL: 'https://support.example.com\r',
    BRAND_NAME: '"Acme" & "Co"',
  };
  expect(parseConfig(env)).toMatchObject({
    secretKey: secret,
    allowedOrigins: ['https://www.example.com'],
    publicUrl: 'https://support.example.com',
    brand: '"Acme" & "Co"',
  });
});

it('a setting that is given twice is an error', () => {
  const env = { ...enough, SECRET_KEY: secret, SECRET_KEY_FILE: fileWith(secret) };
  expect(() => parseConfig(env)).toThrow('SECRET_KEY: set either SECRET_KEY or SECRET_KEY_FILE');
});

it('a file that is empty or cannot be read is named beside the other errors, and its setting is not reported as missing', () => {
  const env = {
    ...enough,
    ALLOWED_ORIGINS: '',
    ALLOWED_ORIGINS_FILE: '/nowhere',
    SECRET_KEY_FILE: fileWith('\n'),
    PORT: 'x',
  };
  const errors =
    'ALLOWED_ORIGINS_FILE: cannot be read (ENOENT)\n  SECRET_KEY_FILE: the file is empty\n  PORT: must';
  expect(() => parseConfig(env)).toThrow(errors);
});

it('the file of the API key is not read into the setting, since it is read again when it changes', () => {
  const { SUPPORT_API_KEY, ...rest } = enough;
  const file = fileWith(SUPPORT_API_KEY);
  expect(parseConfig({ ...rest, SUPPORT_API_KEY_FILE: file }).upstream).toMatchObject({
    keys: [],
    keyFile: file,
  });
});
