import { type ChildProcess, execFile, spawn, type SpawnOptions } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const alive = new Set<ChildProcess>();
// However this process ends, nothing that it started survives it.
process.once('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
});

/** Starts a process that ends with this one at the latest. `exited`: its exit code, null when a signal ended it. */
export function spawnOwned(command: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(command, args, options);
  alive.add(child);
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', resolve);
  });
  void exited.then(() => alive.delete(child));
  return {
    child,
    exited,
    async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
      child.kill(signal);
      await exited;
    },
  };
}

/** One of our own servers, run as its own process. */
export interface Running {
  child: ChildProcess;
  /** Resolves with the exit code; null when a signal ended it. */
  exited: Promise<number | null>;
  /** Asks it to stop and waits until it has. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export function startNode(
  entry: string,
  env: Record<string, string>,
  onLine?: (line: string) => void,
): Running {
  const running = spawnOwned(process.execPath, [entry], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const input of [running.child.stdout!, running.child.stderr!])
    createInterface({ input }).on('line', (line) => line && onLine?.(line));
  return running;
}

/** Waits until something listens on this port of this machine. `check` is called meanwhile, and may throw. */
export async function listening(port: number, check = () => {}): Promise<void> {
  const canConnect = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, 'localhost', () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
  for (; !(await canConnect()); await sleep(20)) check();
}

const keptCharacters = 4_000;

/**
 * Starts a server that is not ours, and waits until it listens.
 * @throws when it ends first, with its output
 */
export async function startProgram(
  command: string,
  args: readonly string[],
  { port, ...options }: { port: number } & Pick<SpawnOptions, 'uid' | 'gid' | 'env'>,
) {
  const running = spawnOwned(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const { child } = running;
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-keptCharacters)));
  const deadline = performance.now() + patienceMs;
  await listening(port, () => {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`${command} does not start: ${said}`);
  });
  return running;
}

/** In real time, because a busy machine is no fault. */
const patienceMs = 60_000;

/**
 * Waits until an address answers 200.
 * @throws when the process ends first, or after a minute. The error has the last answer.
 */
export async function untilUp(url: string, running: Running): Promise<void> {
  let code: number | null | undefined;
  let last = '';
  void running.exited.then((value) => (code = value));
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(10)) {
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

const takenPorts = join(tmpdir(), 'deskside-ports');

/**
 * A free port that no other call gets while this process runs, since tests run in several processes. It is below the
 * range of ephemeral ports, because an outgoing connection could take such a port before the server listens on it.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_000);
  return takePort(port) && (await isPortFree(port)) ? port : freePort();
}

/** By a file with the process id. That of a process which has ended counts for nothing. */
function takePort(port: number): boolean {
  const file = join(takenPorts, String(port));
  mkdirSync(takenPorts, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (isRunning(Number(readFileSync(file, 'utf8')))) return false;
    rmSync(file, { force: true });
    return takePort(port);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
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
