import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';

/** Runs one command of this project to its end, its output passed on; resolves to whether it succeeded. */
export function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const path = ['node_modules/.bin', process.env['PATH']].join(delimiter);
    const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, PATH: path, ...env } });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

/** Runs named commands one after the other; ends the process at the first that fails, naming it. */
export async function runAll(
  steps: readonly (readonly [name: string, command: string, ...args: string[]])[],
) {
  for (const [name, command, ...args] of steps) {
    console.log(`\n▸ ${name}`);
    const startedAt = performance.now();
    if (!(await run(command, args))) {
      console.error(`\n✗ ${name} failed`);
      process.exit(1);
    }
    console.log(`✓ ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  }
}
