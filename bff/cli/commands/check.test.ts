import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createTestService } from '../../../service/test-service.ts';
import { serveApp, startChecked, stopServing } from '../../testing/operator/checks.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';

type Checked = Awaited<ReturnType<typeof startChecked>>;
let checked: Checked | undefined;

async function start(): Promise<Checked> {
  const service = createTestService();
  checked = await startChecked({ url: await serveApp(service.app), key: service.workspace.key });
  return checked;
}
afterEach(async () => {
  await stopServing();
  await checked?.bff.stop();
  checked = undefined;
});

it('check of a BFF in good order ends with 0 and prints a line for each check', async () => {
  const { env } = await start();
  const { code, stdout } = await runTestCommand(['check'], env);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok +service-key +the key is valid$/m)]);
  expect(stdout).toMatch(/^0 failed/m);
});

it('check with a wrong key ends with 1 and says what to do', async () => {
  const { env } = await start();
  const { code, stdout } = await runTestCommand(['check'], { ...env, SUPPORT_API_KEY: 'dsk_wrong' });
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^fail +service-key .*\n +To do: .*SUPPORT_API_KEY/m),
  ]);
});

it('check tries every site of SITES_FILE, and with --for one alone', async () => {
  const { env } = await start();
  const file = join(mkdtempSync(join(tmpdir(), 'deskside-check-')), 'sites.yaml');
  writeFileSync(file, 'garden:\n  ALLOWED_ORIGINS: http://garden.test\n  SUPPORT_API_KEY: dsk_wrong\n');
  const withSites = { ...env, SITES_FILE: file };
  const both = await runTestCommand(['check'], withSites);
  expect([both.code, both.stdout]).toEqual([
    1,
    expect.stringMatching(/^ok +service-key [^]*\nSite garden\n[^]*^fail +service-key /m),
  ]);
  const garden = await runTestCommand(['--for', 'garden', 'check', '--json'], withSites);
  const { checks } = JSON.parse(garden.stdout) as { checks: { name: string; level: string }[] };
  expect(checks.find(({ name }) => name === 'service-key')?.level).toBe('fail');
});

it('check says what is wrong in SITES_FILE', async () => {
  const { env } = await start();
  const { code, stdout } = await runTestCommand(['check'], { ...env, SITES_FILE: '/nowhere' });
  expect([code, stdout]).toEqual([2, expect.stringMatching(/^fail +configuration .*SITES_FILE/ms)]);
});

it('check without settings ends with 2', async () => {
  expect((await runTestCommand(['check'])).code).toBe(2);
});

it('check --json prints one JSON object', async () => {
  const { code, stdout } = await runTestCommand(['check', '--json'], { SUPPORT_API_KEY: 'key' });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    checks: expect.arrayContaining([expect.objectContaining({ name: 'configuration', level: 'fail' })]),
  });
});

it('check --support prints versions and settings, and no secret, address, path or full host name', async () => {
  const { env } = await start();
  const secrets = {
    SUPPORT_API_KEY: 'dsk_first_secret,dsk_second_secret',
    SECRET_KEY: 'a secret key of more than thirty-two characters',
    SMTP_URL: 'smtp://mail-user:mail-password@127.0.0.1:1',
    MAIL_FROM: 'Ada <ada@mail.example.com>',
    WEBHOOK_SECRET: 'a-secret-of-the-webhook',
    IDENTITY_SECRET: 'a secret of the site, of more than 32 bytes',
    BRAND_NAME: 'Kettle & Clay',
  };
  const { stdout } = await runTestCommand(['check', '--support'], {
    ...env,
    ...secrets,
    ALLOWED_ORIGINS: 'http://www.kettle-and-clay.test,https://blog.kettle-and-clay.test',
  });
  for (const shown of ['Deskside ', 'Node ', 'SECRET_KEY\n', 'http://w….test', 'TRUST_PROXY=1'])
    expect(stdout).toContain(shown);
  const hidden = [
    ...Object.values(secrets),
    'dsk_',
    'mail-user',
    'mail-password',
    'ada@',
    'example.com',
    'kettle-and-clay',
    env['DATA_DIR']!,
  ];
  expect(hidden.filter((text) => stdout.includes(text))).toEqual([]);
});
