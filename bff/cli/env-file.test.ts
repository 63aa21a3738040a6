import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { envFile } from './env-file.ts';

it('values of an env file are read back exactly as they were written', () => {
  const values = {
    SUPPORT_API_URL: 'https://tickets.example.com',
    BRAND_NAME: "Kettle & Clay's # 1",
    IDENTITY_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    REPLY_TIME: '"2 hours" <or more>',
  };
  expect(parseEnv(envFile(values))).toEqual(values);
});
