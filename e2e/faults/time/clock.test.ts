import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startTime } from './time.ts';

const offMs = 7_200_000;
const sleepMs = 2_000;

/** Reads three clocks, sleeps, moves the wall clock, reads again; prints how far each of them advanced. */
const script = `
  const { writeFileSync } = require('node:fs');
  const read = () => [Date.now(), performance.now(), Number(process.hrtime.bigint()) / 1e6];
  const file = process.env.CLOCK_OFF;
  writeFileSync(file, '0');
  const before = read();
  setTimeout(() => {
    const slept = read();
    writeFileSync(file, '${offMs}');
    setTimeout(() => {
      const passed = (from, to) => to.map((at, nth) => at - from[nth]);
      console.log(JSON.stringify([passed(before, slept), passed(slept, read())]));
    }, ${sleepMs});
  }, ${sleepMs});
`;

it('a process on the clock of the bench has a shifted wall clock, and its monotonic clocks keep their pace', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-clock-'));
  const preload = new URL('clock.ts', import.meta.url).href;
  const env = startTime(20).environment(`tsx --import=${preload}`, join(dir, 'off'));
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], {
    env: { PATH: process.env['PATH'], ...env },
  });
  await rm(dir, { recursive: true });
  const [slept, moved] = JSON.parse(stdout) as [number[], number[]];
  // A clock that does not run as fast as the timers advances by a twentieth only.
  expect(Math.min(...slept)).toBeGreaterThan(sleepMs * 0.9);
  const [wall, steady, highRes] = moved as [number, number, number];
  expect(wall).toBeGreaterThan(offMs + sleepMs * 0.9);
  expect(Math.min(steady, highRes)).toBeGreaterThan(sleepMs * 0.9);
  expect(Math.max(steady, highRes)).toBeLessThan(offMs / 2);
});
