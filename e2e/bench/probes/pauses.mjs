import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/* Writes the longest pause of a process, in milliseconds, to `PAUSES_FILE` at SIGUSR2, and starts over. */
const resolution = 1;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
process.on('SIGUSR2', () => {
  appendFileSync(process.env['PAUSES_FILE'], `${Math.max(0, delays.max / 1e6 - resolution)}\n`);
  delays.reset();
});
