import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'deskside-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the entry module until it ends. */
function run(args: string[], env: Record<string, string> = {}) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'main.ts'), ...args],
      { env: { ...process.env, DATA_DIR: folder, ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const webhook = 'https://support.test/hooks/tickets/secret';
const init = (url = webhook) =>
  run(['init', '--workspace', 'Shop', '--agent', 'agent@example.com', '--webhook', url, '--demo']);

describe('main', () => {
  it('creates a workspace once, in a file that only this user can read', async () => {
    const made = await init();
    expect(made.code).toBe(0);
    expect(JSON.parse(made.stdout)).toStrictEqual({
      workspace_id: expect.any(String),
      api_key: expect.stringMatching(/^dsk_[\w-]{43}$/),
      agent: { email: 'agent@example.com', password: expect.any(String) },
      webhook: { url: webhook, secret: expect.stringMatching(/^whsec_/) },
    });
    expect(statSync(join(folder, 'service.sqlite')).mode & 0o777).toBe(0o600);
    chmodSync(join(folder, 'service.sqlite'), 0o644);
    const again = await init();
    expect([again.code, again.stdout]).toStrictEqual([3, '']);
    expect(again.stderr).toMatch(/^Nothing was created: the workspace "Shop" exists already\.\n$/);
    expect(statSync(join(folder, 'service.sqlite')).mode & 0o777).toBe(0o600);
  });

  it('names configuration errors and wrong arguments', async () => {
    const [config, option, address] = await Promise.all([
      run([], { PORT: 'x', LOG_LEVEL: 'loud' }),
      run(['init', '--workspce', 'Shop']),
      init('ftp://support.test'),
    ]);
    expect([config.code, option.code, address.code]).toStrictEqual([1, 2, 2]);
    expect(address.stderr).toBe('--webhook: This is not an http or https address.\n');
    expect(config.stderr).toMatch(/PORT.*\n.*LOG_LEVEL/);
    expect(option.stderr).toContain('--workspce');
  });
});
