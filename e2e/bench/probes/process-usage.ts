import { readFile } from 'node:fs/promises';

/** The clock ticks per second of Linux on all common processors. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used; null where the system does not report it. */
export async function cpuSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name of the program, in brackets, may have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Megabytes of memory that a process uses now; null where the system does not report it. */
export async function memoryMb(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null);
  const kilobytes = status && /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes ? Number(kilobytes) / 1024 : null;
}
