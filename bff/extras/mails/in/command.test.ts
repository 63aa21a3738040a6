import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { checkSeal } from '../../../core/store/open.ts';
import { createSeal } from '../../../core/store/seal.ts';
import { testSecretKey } from '../../../testing/bff.ts';
import { runTestCommand } from '../../../testing/operator/command-line.ts';
import { mailOf, startIncoming } from './testing/incoming.ts';

let env: Record<string, string>;
beforeEach(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-mails-'));
  const on = await startIncoming({
    dataDir,
    values: { MAIL_IN_SERVER: 'mx.test', MAIL_IN_REQUIRE: 'dmarc' },
  });
  await checkSeal(on.bff.store, createSeal(testSecretKey));
  await on.comes(mailOf({ words: 'Hello \u001B[31mred' }));
  await on.comes(mailOf({ words: 'x'.repeat(16 * 1024 * 1024) }));
  await on.replyTo(await on.opened());
  await on.stop();
  env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    SECRET_KEY: testSecretKey,
    DATA_DIR: dataDir,
  };
});
const mails = (...args: string[]) => runTestCommand(['mails', ...args], env);

it('mails lists what is set aside, shows one without what a terminal would act on, and lets it be tried again', async () => {
  const { stdout } = await mails();
  const [large, small] = stdout.trim().split('\n');
  expect(large).toMatch(/^[\w-]{10} {2}[\dT:-]{16} {2}it has 16777\d{3} bytes/);
  expect(small).toContain('its sender has not passed DMARC');
  const id = small!.slice(0, 10);
  expect((await mails('--show', id)).stdout).toContain('\n\nHello [31mred\n');
  expect(await mails('--again', id)).toMatchObject({ code: 0 });
  expect(await mails('--again', id)).toMatchObject({ code: 1 });
  expect(await mails('--again', large!.slice(0, 10))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('only its beginning is kept'),
  });
});

it('status counts the mails that are set aside', async () => {
  const { stdout } = await runTestCommand(['status', '--json'], env);
  expect(JSON.parse(stdout)).toMatchObject({ mails_waiting: 0, mails_set_aside: 2, addresses_bounced: 0 });
});

it('mails ends the tokens of an address', async () => {
  expect((await mails('--revoke', 'Ada@example.com')).stdout).toContain('(1 tokens)');
  expect((await mails('--revoke', 'ada@example.com')).stdout).toContain('(0 tokens)');
  expect(await mails('--revoke', 'nobody')).toMatchObject({ code: 2 });
});
