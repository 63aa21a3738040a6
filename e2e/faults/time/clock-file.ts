import { renameSync, writeFileSync } from 'node:fs';
import type { ClockShift } from './time.ts';

/** Writes these shifts for the processes that read their clock's shifts from `file`. Replaces what was written before. */
export function shiftClock(file: string, shifts: readonly ClockShift[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(shifts));
  // Never half of it: a process may be reading.
  renameSync(`${file}.new`, file);
}
