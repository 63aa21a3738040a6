import { once } from 'node:events';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leaksIn } from '../../../scripts/leaks.ts';
import { freePort, type Running, startNode, untilUp } from '../../../scripts/processes.ts';
import type { Time } from '../time/time.ts';

const keptLines = 200;
/** Longer than a BFF takes to end (10 s). */
const endWithinMs = 15_000;
/** The highest accepted value: a bench tests no limits. */
const unlimited = '1000000';

/** For every BFF of a bench. */
export const benchSettings = {
  POW: 'off',
  TRUST_PROXY: '1',
  ALLOWED_ORIGINS: 'http://shop.test',
  LIMIT_TICKETS_PER_SESSION: unlimited,
  LIMIT_TICKETS_PER_IP: unlimited,
  LIMIT_TICKETS_PER_ADDRESS: unlimited,
  LIMIT_MESSAGES_PER_SESSION: unlimited,
  LIMIT_REQUESTS_PER_IP: unlimited,
  LIMIT_STREAMS_PER_IP: unlimited,
};

export interface BffOptions {
  /** By default the build in `dist/`. */
  entry?: string;
  settings: Record<string, string>;
  /** What its log lines must not contain. */
  secrets?: readonly string[];
  /** The time in which it runs. `preload` is the built `clock.ts`; `offMs`: by how much its wall clock is wrong at first. */
  clock?: { time: Time; preload: string; offMs?: number };
  /** The built `disk.ts`, without which `fillDisk` does nothing. */
  disk?: string;
  /** Where the first, second, … process ends itself. */
  failpoints?: readonly string[];
  /** A process has ended at the named failpoint, was killed by us, or has crashed. */
  onDeath?: (cause: string) => void;
}

/** Writes by how much the wall clock is wrong, for the processes that read it from `file` (`clock.ts`). */
function writeOff(file: string, offMs: number): void {
  writeFileSync(`${file}.new`, String(offMs));
  // Replaced at once, because a process may be reading the file.
  renameSync(`${file}.new`, file);
}

/**
 * One built BFF and its data over all of its processes, for every bench: on the same ports, it is started again
 * whenever a process ends.
 * @throws when it does not start the first time
 */
export async function startBff(options: BffOptions) {
  const {
    entry = 'dist/bff/main.js',
    settings,
    secrets = [],
    clock,
    disk,
    failpoints = [],
    onDeath,
  } = options;
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bff-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const [url, adminUrl] = [port, adminPort].map((each) => `http://127.0.0.1:${each}`) as [string, string];
  const pathOf = (name: string) => join(dir, name);
  const [dataDir, copyDir] = [pathOf('data'), pathOf('copy')];
  const [offFile, fullDiskFile] = [pathOf('clock-off'), pathOf('disk-full')];
  writeOff(offFile, clock?.offMs ?? 0);
  const clockEnv = clock?.time.environment(clock.preload, offFile);
  const imports = [clockEnv?.['NODE_OPTIONS'], disk && `--import=${disk}`].filter(Boolean);
  const env = {
    ...benchSettings,
    PUBLIC_URL: url,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATA_DIR: dataDir,
    ...clockEnv,
    DISK_FULL: fullDiskFile,
    ...(imports.length > 0 && { NODE_OPTIONS: imports.join(' ') }),
    ...settings,
  };
  const lines: string[] = [];
  const leaks: string[] = [];
  const crashes: string[] = [];
  let running: Running;
  let lives = 0;
  let isUp = false;
  /** What we do to the present process. */
  let isEnding: 'killed' | 'replaced' | 'stopped' | null = null;

  function onLine(line: string): void {
    leaks.push(...leaksIn([line], secrets));
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
  }

  function onEnd(code: number | null, failpoint: string): void {
    isUp = false;
    if (isEnding === 'replaced' || isEnding === 'stopped') return;
    const isCrash = isEnding === null && (code !== null || failpoint === '');
    const byItself = isCrash ? 'crash' : `failpoint ${failpoint.split(':')[0]}`;
    const cause = isEnding === 'killed' ? 'kill' : byItself;
    if (isCrash) crashes.push(`crashed: a process ended by itself, code ${code}: ${lines.at(-1)}`);
    lines.push(`(the process ended: ${cause}, code ${code})`);
    onDeath?.(cause);
    // What ends while it starts is started again by its own end.
    void live().catch(() => undefined);
  }

  async function live(): Promise<void> {
    const failpoint = failpoints[lives++] ?? '';
    isEnding = null;
    const started = startNode(entry, { ...env, FAILPOINT: failpoint }, onLine);
    running = started;
    void started.exited.then((code) => onEnd(code, failpoint));
    await untilUp(`${adminUrl}/livez`, started);
    if (isEnding === null) isUp = true;
  }

  async function replace(signal: 'SIGKILL' | 'SIGTERM', meanwhile = async () => {}): Promise<void> {
    isEnding = 'replaced';
    isUp = false;
    running.child.kill(signal);
    await Promise.race([running.exited, once(AbortSignal.timeout(endWithinMs), 'abort')]);
    running.child.kill('SIGKILL');
    await running.exited;
    await meanwhile();
    await live();
  }

  /** @throws when a log line has data of a customer, or a secret */
  async function stop(): Promise<void> {
    isEnding = 'stopped';
    running.child.kill('SIGKILL');
    await running.exited;
    await rm(dir, { recursive: true, force: true });
    if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
  }

  await live().catch(async (error: unknown) => {
    await stop();
    throw new Error(`the BFF does not start:\n${lines.join('\n')}`, { cause: error });
  });
  return {
    port,
    dataDir,
    /** Null while no process is up. */
    url: () => (isUp ? url : null),
    adminUrl: () => (isUp ? adminUrl : null),
    pid: () => running.child.pid!,
    /** The last lines that its processes logged. */
    lines: lines as readonly string[],
    /** How its processes ended by themselves, one line each. */
    crashes: crashes as readonly string[],
    /** SIGKILL; the next process starts at once. */
    kill(): void {
      isEnding = 'killed';
      isUp = false;
      running.child.kill('SIGKILL');
    },
    /** Copies the store at one moment. */
    async copyStore(): Promise<void> {
      running.child.kill('SIGSTOP');
      await cp(dataDir, copyDir, { recursive: true });
      running.child.kill('SIGCONT');
    },
    /** A power cut, after which the store is the copy; up again when this resolves. */
    setBack: () =>
      replace('SIGKILL', async () => {
        await rm(dataDir, { recursive: true });
        await cp(copyDir, dataDir, { recursive: true });
      }),
    /** `SIGKILL` as a power cut, `SIGTERM` as an update; up again when this resolves. */
    replace: (signal: 'SIGKILL' | 'SIGTERM') => replace(signal),
    /** Whether files can be written. */
    fillDisk(isFull: boolean): void {
      if (isFull) writeFileSync(fullDiskFile, '');
      else rmSync(fullDiskFile, { force: true });
    },
    freeze: () => void running.child.kill('SIGSTOP'),
    thaw: () => void running.child.kill('SIGCONT'),
    /** From now on the wall clock of this process and of later ones is wrong by so many milliseconds. */
    setClock: (offMs: number) => writeOff(offFile, offMs),
    stop,
  };
}

export type Bff = Awaited<ReturnType<typeof startBff>>;
