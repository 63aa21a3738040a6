import { cpus, loadavg, totalmem } from 'node:os';

/** The machine of a run, and its load. */
export interface Machine {
  cores: number;
  processor: string;
  memoryGb: number;
  node: string;
  chromium: string;
  startedAt: string;
  /**
   * The load average of the last minute, at the section's start and end. The first value includes other processes and
   * the previous section.
   */
  loadBefore: number;
  loadAfter: number;
}

/** The load average of the last minute. */
export const loadNow = () => Number(loadavg()[0]!.toFixed(2));

export const describeMachine = (): Omit<Machine, 'chromium' | 'loadAfter'> => ({
  cores: cpus().length,
  processor: cpus()[0]?.model ?? 'unknown',
  memoryGb: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  startedAt: new Date().toISOString(),
  loadBefore: loadNow(),
});
