import { renameSync, writeFileSync } from 'node:fs';
import type { ClockShift } from './time.ts';

/** Writes these shifts for the processes that read their clock's shifts from `file`. Replaces what was written before. */
export function shiftClock(file: string, shifts: readonly ClockShift[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(shifts));
  // Written atomically, because a process may be reading the file.
  renameSync(`${file}.new`, file);
}
