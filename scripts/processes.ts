import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** One of our own servers, run as its own process. */
export interface Running {
  child: ChildProcess;
  /** Resolves with the exit code; null when a signal ended it. */
  exited: Promise<number | null>;
  /** Asks it to stop and waits until it has. */
  stop(): Promise<void>;
}

export function startNode(
  entry: string,
  env: Record<string, string>,
  onLine?: (line: string) => void,
): Running {
  const child = spawn(process.execPath, [entry], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => line && onLine?.(line));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    child,
    exited,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/**
 * Waits until an address answers 200.
 * @throws when the process ends first, or after 20 seconds. The error has the last answer.
 */
export async function untilUp(url: string, running: Running): Promise<void> {
  let code: number | null | undefined;
  let last = '';
  void running.exited.then((value) => (code = value));
  for (const deadline = performance.now() + 20_000; performance.now() < deadline; await sleep(10)) {
    if (code !== undefined) throw new Error(`ended with code ${code} before it answered at ${url}`);
    try {
      const answer = await fetch(url);
      if (answer.ok) return;
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = String(error);
    }
  }
  throw new Error(`nothing answers 200 at ${url}: ${last}`);
}

export interface Workspace {
  workspace_id: string;
  api_key: string;
  agent: { email: string; password: string };
  /** With `--webhook <url>`. */
  webhook?: { url: string; secret: string };
}

/** Makes a workspace with an agent and an API key in a service's data folder. */
export async function initWorkspace(entry: string, dataDir: string, ...args: string[]): Promise<Workspace> {
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [entry, 'init', ...args], { env });
  return JSON.parse(stdout);
}

/**
 * A port that was free a moment ago. It is below the range of ephemeral ports, because an outgoing connection could
 * take such a port before the server listens on it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(15_000, 32_000);
  return (await isPortFree(port)) ? port : freePort();
}

export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
}
