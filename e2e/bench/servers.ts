import { readFile } from 'node:fs/promises';
import { freePort, startNode, untilUp } from '../../scripts/processes.ts';
import { startBff } from '../faults/servers/bff.ts';

/** The built BFF before this service, with these settings beside. */
export async function startBuiltBff(serviceUrl: string, settings: Record<string, string> = {}) {
  const { url, pid, stop } = await startBff({
    settings: { SUPPORT_API_URL: serviceUrl, SUPPORT_API_KEY: 'bench', LOG_LEVEL: 'error', ...settings },
  });
  return { url: url()!, pid: pid(), stop };
}

/** `bare-server.ts` as a process of its own. It commits to the database, else to a file in `dir`. */
export async function startBareServer(serviceUrl: string, dir: string, databaseUrl?: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode('e2e/bench/bare-server.ts', {
    NODE_OPTIONS: '--import=tsx --import=./e2e/bench/collect.mjs',
    PORT: String(port),
    SERVICE_URL: serviceUrl,
    DATA_DIR: dir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  });
  await untilUp(`${url}/plain/1`, running);
  return { url, pid: running.child.pid!, stop: running.stop };
}

/** The clock ticks per second of Linux on all common processors. */
const ticksPerSecond = 100;

/** Seconds of processor time that a process has used. Linux only, like `memoryKb`. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program, in brackets, may have spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Kilobytes of memory that a process uses now. */
export async function memoryKb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]);
}
