import { parseEnv } from 'node:util';
import { expect, it } from 'vitest';
import { envFile, exampleEnvFile } from './env-file.ts';

it('a file of settings is read as what was written, whatever the values contain', () => {
  const values = {
    SUPPORT_API_URL: 'https://tickets.example.com',
    BRAND_NAME: "Kettle & Clay's # 1",
    IDENTITY_PUBLIC_KEY: '-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----',
    MAIL_FROM: '"Acme" <support@example.com>',
  };
  expect(parseEnv(envFile(values))).toEqual(values);
});

/** `npx vitest run --update bff/cli/env-file.test.ts` writes it anew. */
it('.env.example is what the table of settings makes', async () => {
  await expect(exampleEnvFile()).toMatchFileSnapshot('../../.env.example');
});
