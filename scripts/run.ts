import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';

/**
 * Runs one command to its end and passes on its output. The command may be in `node_modules/` of `cwd`. Resolves to
 * whether it succeeded.
 */
export function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = '.',
): Promise<boolean> {
  return new Promise((resolve) => {
    const path = ['node_modules/.bin', process.env['PATH']].join(delimiter);
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...process.env, PATH: path, ...env },
      cwd,
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}
