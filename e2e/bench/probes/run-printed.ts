import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a bench that prints a table of its own; answers the cells of each line. */
export async function runPrinted(
  entry: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string[][]> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', entry, ...args], {
    env: { ...process.env, ...env },
    maxBuffer: 1e7,
  });
  return stdout.split('\n').map((line) => line.trim().split(/\s{2,}/));
}

/**
 * The number of a cell such as `12.5 ms`.
 * @throws when there is none
 */
export function numberOf(cell: string | undefined): number {
  const number = Number.parseFloat(cell ?? '');
  if (Number.isNaN(number)) throw new Error(`expected a number in a printed table, found “${cell}”`);
  return number;
}
