import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { envFile, exampleEnvFile } from './env-file.ts';

it('values of an env file are read back exactly as they were written', () => {
  const values = {
    SUPPORT_API_URL: 'https://tickets.example.com',
    BRAND_NAME: "Kettle & Clay's # 1",
    IDENTITY_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    MAIL_FROM: '"Acme" <support@example.com>',
  };
  expect(parseEnv(envFile(values))).toEqual(values);
});

/** `npx vitest run --update bff/cli/env-file.test.ts` writes the file again. */
it('.env.example is generated from the table of settings', async () => {
  await expect(exampleEnvFile()).toMatchFileSnapshot('../../.env.example');
});
