import { type Running, startNode } from '../../../scripts/processes.ts';

const alive = new Set<Running>();
// Ends all started processes, however the bench ends.
process.once('exit', () => {
  for (const { child } of alive) child.kill('SIGKILL');
});

/** Starts one of our servers, which ends with this process at the latest. */
export function startChild(...args: Parameters<typeof startNode>): Running {
  const running = startNode(...args);
  alive.add(running);
  void running.exited.then(() => alive.delete(running));
  return running;
}
