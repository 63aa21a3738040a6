import { execFile, execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Span } from '../schedules/schedule.ts';
import type { Time } from '../time/time.ts';

/** A separate file system for one folder, small enough to fill. */
export interface Disk {
  /** From now on, every write fails with ENOSPC. */
  fill(): void;
  free(): void;
  remove(): Promise<void>;
}

// More than the write-ahead log of SQLite needs.
const size = '32m';
const page = Buffer.alloc(4096);

const mounted = new Set<string>();
// Unmounts everything, however the bench ends.
process.once('exit', () => {
  for (const dir of mounted) execFileSync('umount', ['--lazy', dir]);
});

/** Null when this user cannot mount one, which requires root on Linux. */
export async function mountDisk(dir: string): Promise<Disk | null> {
  const run = promisify(execFile);
  const mount = ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'deskside-faults', dir];
  const isMounted = await run('mount', mount).then(
    () => true,
    () => false,
  );
  if (!isMounted) return null;
  mounted.add(dir);
  const filler = join(dir, 'filler');
  return {
    fill() {
      const file = openSync(filler, 'a');
      try {
        for (;;) writeSync(file, page);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    async remove() {
      await run('umount', ['--lazy', dir]);
      mounted.delete(dir);
    },
  };
}

/** Fills the disk during these spans. Without a disk of its own it only reports that this was left out. */
export async function keepDiskFull(
  spans: readonly Span[],
  options: { disk: Disk | null; time: Time; signal: AbortSignal; onFault: (name: string) => void },
): Promise<void> {
  const { disk, time, signal, onFault } = options;
  const startedAt = time.now();
  const isFullAt = (at: number) => spans.some(({ fromMs, toMs }) => at >= fromMs && at < toMs);
  const moments = spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).sort((a, b) => a - b);
  for (const at of moments) {
    await time.sleep(startedAt + at - time.now(), signal).catch(() => undefined);
    if (signal.aborted) return;
    if (!isFullAt(at)) disk?.free();
    else {
      onFault(disk ? 'disk full' : 'disk full: left out, it takes root');
      disk?.fill();
    }
  }
}
