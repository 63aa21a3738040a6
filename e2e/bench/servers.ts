import { readFile } from 'node:fs/promises';
import { freePort, startNode, untilUp } from '../../scripts/processes.ts';

/** High enough that no limit is reached, and the highest that is taken. */
const unlimited = String(1_000_000);

/** The built BFF as a process of its own, before this service, without limits. `env` is added to its settings. */
export async function startBuiltBff(serviceUrl: string, dir: string, env: Record<string, string> = {}) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const running = startNode('dist/bff/main.js', {
    SUPPORT_API_URL: serviceUrl,
    SUPPORT_API_KEY: 'bench',
    ALLOWED_ORIGINS: 'http://shop.test',
    PUBLIC_URL: url,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATA_DIR: dir,
    TRUST_PROXY: '1',
    POW: 'off',
    LIMIT_TICKETS_PER_SESSION: unlimited,
    LIMIT_TICKETS_PER_IP: unlimited,
    LIMIT_TICKETS_PER_ADDRESS: unlimited,
    LIMIT_MESSAGES_PER_SESSION: unlimited,
    LIMIT_REQUESTS_PER_IP: unlimited,
    LOG_LEVEL: 'error',
    ...env,
  });
  await untilUp(`http://127.0.0.1:${adminPort}/readyz`, running);
  return { url, pid: running.child.pid!, stop: running.stop };
}

/** `bare-server.ts` as a process of its own. */
export async function startBareServer(serviceUrl: string, dir: string) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode('e2e/bench/bare-server.ts', {
    NODE_OPTIONS: '--import=tsx --import=./e2e/bench/collect.mjs',
    PORT: String(port),
    SERVICE_URL: serviceUrl,
    DATA_DIR: dir,
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
