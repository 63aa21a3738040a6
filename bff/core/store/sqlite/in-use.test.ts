import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { enterStore } from './files.ts';

describe('the mark of a process that uses the store', () => {
  /** Another process that uses the store until it is killed. */
  async function otherProcess(dataDir: string): Promise<ChildProcess> {
    const module = JSON.stringify(new URL('files.ts', import.meta.url).href);
    // The mark ends when it is garbage collected.
    const code = `const { enterStore } = await import(${module}); globalThis.mark = enterStore(${JSON.stringify(dataDir)});
      console.log('in'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code]);
    await once(child.stdout, 'data');
    return child;
  }

  it('tells whether another one does, and goes with it when it is killed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'deskside-store-'));
    const other = await otherProcess(dataDir);
    const beside = enterStore(dataDir);
    expect(beside.wasAlone).toBe(false);
    beside.leave();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(enterStore(dataDir).wasAlone).toBe(true);
  });
});
