import { Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';

/* The thread in which `steps.ts` counts. */

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

const { ways } = (await import(workerData as string)) as { ways: Record<string, (text: string) => unknown> };

/** Since they were last taken. */
function takeSteps(): number {
  let steps = 0;
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    for (const { functions } of result)
      for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  });
  return steps;
}

parentPort!.on('message', ({ way, texts }: { way: string; texts: readonly string[] }) => {
  takeSteps();
  for (const text of texts) ways[way]!(text);
  parentPort!.postMessage(takeSteps());
});
parentPort!.postMessage('ready');
