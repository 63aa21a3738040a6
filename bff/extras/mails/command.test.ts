import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createSeal } from '../../core/store/seal.ts';
import { startBff, testSecretKey } from '../../testing/bff.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';
import { checkSeal } from '../../core/store/open.ts';
import { mailsOf } from './testing/notices.ts';

let env: Record<string, string>;
beforeEach(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-addresses-'));
  const bff = await startBff({ dataDir });
  await checkSeal(bff.store, createSeal(testSecretKey));
  const { suppressions } = mailsOf(bff);
  await suppressions.add(bff.subjects.addressHash('bounced+shop@example.com'), 'bounced');
  await suppressions.add(bff.subjects.mailboxHash('ada+shop@example.com'), 'unsubscribed');
  await bff.stop();
  env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    SECRET_KEY: testSecretKey,
    DATA_DIR: dataDir,
  };
});
const addresses = (...args: string[]) => runTestCommand(['addresses', ...args], env);

it('addresses counts those that get no mails, by reason', async () => {
  const { code, stdout } = await addresses();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1 bounced, the last on [\d-]{10}\n1 unsubscribed, the last on [\d-]{10}\n$/);
});

it('an address that bounced is freed by --free', async () => {
  const email = ['--email', 'Bounced+shop@example.com'];
  expect((await addresses(...email)).stdout).toContain('there is no such mailbox');
  expect(await addresses(...email, '--free')).toMatchObject({ code: 0 });
  expect((await addresses(...email)).stdout).toBe('this address gets mails about tickets\n');
});

it('an address that unsubscribed is freed only with --unsubscribed', async () => {
  const email = ['--email', 'ada+other@example.com'];
  expect(await addresses(...email, '--free')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('only its owner may undo that'),
  });
  expect(await addresses(...email, '--free', '--unsubscribed')).toMatchObject({ code: 0 });
  expect((await addresses(...email)).stdout).toBe('this address gets mails about tickets\n');
});

it('what is no address is refused', async () => {
  expect(await addresses('--email', 'nobody')).toMatchObject({ code: 2 });
});
