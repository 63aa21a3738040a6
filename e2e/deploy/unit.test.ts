import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const analyze = '/usr/bin/systemd-analyze';

describe.runIf(existsSync(analyze))('the systemd unit', () => {
  let dir: string;
  let unit: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'deskside-unit-'));
    unit = join(dir, 'deskside.service');
    const example = await readFile('deploy/deskside.service', 'utf8');
    // systemd looks whether the program is there.
    await writeFile(unit, example.replace('/usr/bin/node', process.execPath));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('is read by systemd without a warning', async () => {
    const { stdout, stderr } = await promisify(execFile)(analyze, ['verify', '--man=no', unit]);
    expect(stdout + stderr).not.toContain('deskside.service');
  });

  it('has an exposure below 1.5 of 10 in systemd’s analysis', async () => {
    const args = ['security', '--offline=true', '--threshold=15', '--no-pager', unit];
    const { stdout } = await promisify(execFile)(analyze, args);
    expect(stdout).toContain('Overall exposure level');
  });
});
