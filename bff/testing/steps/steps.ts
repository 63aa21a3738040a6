import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/*
 * Counts the steps of a function: how often each of its blocks of JavaScript ran, and those of all functions it calls. The same
 * text takes the same steps on any machine. What the engine does by itself, such as a regular expression, counts as nothing:
 * `scripts/regexps.test.ts` checks those.
 */

export interface Counting {
  /** How many steps the function `way` of the module takes for all of these texts. */
  of(way: string, texts: readonly string[]): Promise<number>;
  end(): Promise<unknown>;
}

/** @param module has the functions by name, as `ways`. It is loaded in a new thread, so that each block has a counter. */
export async function startCounting(module: URL): Promise<Counting> {
  const thread = new URL('./thread.ts', import.meta.url).href;
  const start = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(thread)})))`;
  const worker = new Worker(start, { eval: true, workerData: module.href });
  await once(worker, 'message');
  return {
    async of(way, texts) {
      worker.postMessage({ way, texts });
      const [steps] = (await once(worker, 'message')) as [number];
      return steps;
    },
    end: () => worker.terminate(),
  };
}
