import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/*
 * Measures the longest turn of a process: the processor time of its first thread between two ticks of a timer. At SIGUSR2 it
 * writes the milliseconds into the file of LONGEST_TURN, and begins anew. Linux only.
 */
if (isMainThread) {
  const usedMs = () =>
    Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6;
  let last = usedMs();
  let longest = 0;
  setInterval(() => {
    const used = usedMs();
    longest = Math.max(longest, used - last);
    last = used;
  }, 1).unref();
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.LONGEST_TURN, `${longest}\n`);
    longest = 0;
  });
}
