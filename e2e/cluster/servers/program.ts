import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from '../../../scripts/processes.ts';

const startWithinMs = 20_000;
const keptCharacters = 4_000;

const running = new Set<() => void>();
// Ends all started programs, however the run ends.
process.once('exit', () => {
  for (const kill of running) kill();
});

/**
 * Starts a server that is not ours, and waits until its port is taken.
 * @throws when it ends first, with its output
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { port, ...user }: { port: number; uid?: number; gid?: number },
) {
  const child = spawn(command, args, { ...user, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-keptCharacters)));
  const exited = once(child, 'exit');
  const end = () => void child.kill('SIGKILL');
  running.add(end);
  for (const deadline = Date.now() + startWithinMs; await isPortFree(port); await sleep(50))
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`${command} does not start: ${said}`);
  return {
    said: () => said,
    async kill(): Promise<void> {
      running.delete(end);
      end();
      await exited;
    },
    async stop(): Promise<void> {
      running.delete(end);
      child.kill('SIGTERM');
      await exited;
    },
  };
}
