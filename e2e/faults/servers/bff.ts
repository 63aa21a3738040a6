import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { leaksIn } from '../../../scripts/leaks.ts';
import type { Running } from '../../../scripts/processes.ts';
import type { FaultBuild } from './build.ts';
import { startChild } from './children.ts';
import { shiftClock } from '../time/clock-file.ts';
import type { ClockShift, Time } from '../time/time.ts';

const keptLines = 60;
/** In real time, because a busy machine is no fault. */
const startWithinMs = 60_000;

/** One BFF and its data, over all of its processes. */
export interface Bff {
  /** Null while no process is up. */
  url(): string | null;
  adminUrl(): string | null;
  /** SIGKILL; the next process starts at once. */
  kill(): void;
  /** Sets when the wall clock of this process and of later processes is wrong. Replaces the previous shifts. */
  shiftClock(shifts: readonly ClockShift[]): void;
  /** The last lines that its processes logged. */
  lines: string[];
  /** @throws when a log line has data of a customer, or a key */
  stop(): Promise<void>;
}

export interface BffOptions {
  built: FaultBuild;
  time: Time;
  upstreamUrl: string;
  keys: readonly string[];
  settings: Record<string, string>;
  /** Where the first, second, … process ends itself. */
  failpoints?: readonly string[];
  /** A process has ended at the named failpoint, or was killed by us. */
  onDeath?: (cause: string) => void;
  onReady?: () => void;
}

const urlOf = ({ port }: AddressInfo) => `http://127.0.0.1:${port}`;

const unlimited = {
  POW: 'off',
  TRUST_PROXY: '1',
  LIMIT_TICKETS_PER_SESSION: '100000',
  LIMIT_TICKETS_PER_IP: '100000',
  LIMIT_TICKETS_PER_ADDRESS: '100000',
  LIMIT_MESSAGES_PER_SESSION: '100000',
};

const settingsOf = (
  { built, time, upstreamUrl, keys, settings }: BffOptions,
  { dataDir, shiftsFile }: { dataDir: string; shiftsFile: string },
) => ({
  ...unlimited,
  ...settings,
  ...time.environment(built.clock, shiftsFile),
  SUPPORT_API_URL: upstreamUrl,
  SUPPORT_API_KEY: keys.join(),
  ALLOWED_ORIGINS: 'http://shop.test',
  PUBLIC_URL: 'http://support.test',
  // Chosen by the system, and logged in the line "ready".
  PORT: '0',
  ADMIN_PORT: '0',
  DATA_DIR: dataDir,
});

/** @throws when its process ends before it is up, or does not come up in time */
async function untilReady(bff: Bff, hasEnded: () => boolean): Promise<void> {
  const deadline = Date.now() + startWithinMs;
  while (!bff.url()) {
    if (hasEnded() || Date.now() > deadline) {
      await bff.stop();
      throw new Error(`the BFF does not start:\n${bff.lines.join('\n')}`);
    }
    await sleep(20);
  }
}

/**
 * Starts the BFF, and restarts it whenever it was killed.
 * @throws when it ends in another way before it is up
 */
export async function startBff(options: BffOptions): Promise<Bff> {
  const { built, keys, failpoints = [], onDeath, onReady } = options;
  const dir = await mkdtemp(join(tmpdir(), 'deskside-faults-bff-'));
  const dataDir = join(dir, 'data');
  await mkdir(dataDir);
  const shiftsFile = join(dir, 'clock-shifts');
  shiftClock(shiftsFile, []);
  const lines: string[] = [];
  const leaks: string[] = [];
  let running: Running | null = null;
  let url: string | null = null;
  let adminUrl: string | null = null;
  let lives = 0;
  let isOver = false;
  let isOurKill = false;

  function onLine(line: string): void {
    leaks.push(...leaksIn([line], keys));
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    if (!line.includes('"msg":"ready"')) return;
    const { address, admin } = JSON.parse(line) as Record<'address' | 'admin', AddressInfo>;
    url = urlOf(address);
    adminUrl = urlOf(admin);
    onReady?.();
  }

  function live(): void {
    const failpoint = failpoints[lives++] ?? '';
    isOurKill = false;
    const started = startChild(
      built.bff,
      { ...settingsOf(options, { dataDir, shiftsFile }), FAILPOINT: failpoint },
      onLine,
    );
    running = started;
    void started.exited.then((code) => {
      url = null;
      adminUrl = null;
      if (isOver) return;
      const byItself = code === null ? `failpoint ${failpoint.split(':')[0]}` : 'it ended itself';
      const cause = isOurKill ? 'kill' : byItself;
      lines.push(`(the process ended: ${cause}, code ${code})`);
      onDeath?.(cause);
      if (code === null) live();
    });
  }

  live();
  const bff: Bff = {
    url: () => url,
    adminUrl: () => adminUrl,
    kill() {
      isOurKill = true;
      url = null;
      adminUrl = null;
      running?.child.kill('SIGKILL');
    },
    shiftClock: (shifts) => shiftClock(shiftsFile, shifts),
    lines,
    async stop() {
      isOver = true;
      running?.child.kill('SIGKILL');
      await running?.exited;
      await rm(dir, { recursive: true, force: true });
      if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
    },
  };
  await untilReady(bff, () => running?.child.exitCode !== null);
  return bff;
}
