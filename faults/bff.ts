import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Running } from '../scripts/processes.ts';
import type { FaultBuild } from './build.ts';
import { startChild } from './children.ts';
import type { Time } from './time.ts';

const keptLines = 60;
/** Real time: a busy machine is no fault. */
const startWithinMs = 60_000;

/** One BFF and its data, however many processes it takes. */
export interface Bff {
  /** Null while no process is up. */
  url(): string | null;
  /** SIGKILL; the next process starts at once. */
  kill(): void;
  /** The last lines that its processes logged. */
  lines: string[];
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
  /** A process has ended by the failpoint named, or at our hand. */
  onDeath?: (cause: string) => void;
}

const unlimited = {
  POW: 'off',
  TRUST_PROXY: '1',
  LIMIT_TICKETS_PER_SESSION: '100000',
  LIMIT_TICKETS_PER_IP: '100000',
  LIMIT_TICKETS_PER_ADDRESS: '100000',
  LIMIT_MESSAGES_PER_SESSION: '100000',
};

/**
 * Starts the BFF, and again whenever it ends by a kill.
 * @throws when it ends in another way before it is up
 */
export async function startBff(options: BffOptions): Promise<Bff> {
  const { built, time, upstreamUrl, keys, settings, failpoints = [], onDeath } = options;
  const dir = await mkdtemp(join(tmpdir(), 'deskside-faults-bff-'));
  const lines: string[] = [];
  let running: Running | null = null;
  let url: string | null = null;
  let lives = 0;
  let isOver = false;
  let isOurKill = false;

  function onLine(line: string): void {
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    const port = /"port":(\d+).*"msg":"ready"/.exec(line)?.[1];
    if (port) url = `http://127.0.0.1:${port}`;
  }

  function live(): void {
    const failpoint = failpoints[lives++] ?? '';
    isOurKill = false;
    const started = startChild(
      built.bff,
      {
        ...unlimited,
        ...settings,
        ...time.environment(built.clock),
        SUPPORT_API_URL: upstreamUrl,
        SUPPORT_API_KEY: keys.join(),
        ALLOWED_ORIGINS: 'http://shop.test',
        PUBLIC_URL: 'http://support.test',
        // Given out by the system, and told in the line "ready".
        PORT: '0',
        ADMIN_PORT: '0',
        DATA_DIR: dir,
        FAILPOINT: failpoint,
      },
      onLine,
    );
    running = started;
    void started.exited.then((code) => {
      url = null;
      if (isOver) return;
      lines.push(`(the process ended: ${isOurKill ? 'killed' : `failpoint ${failpoint}`}, code ${code})`);
      onDeath?.(isOurKill ? 'kill' : `failpoint ${failpoint.split(':')[0]}`);
      if (code === null) live();
    });
  }

  live();
  const bff: Bff = {
    url: () => url,
    kill() {
      isOurKill = true;
      url = null;
      running?.child.kill('SIGKILL');
    },
    lines,
    async stop() {
      isOver = true;
      running?.child.kill('SIGKILL');
      await running?.exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
  const isDead = () => running?.child.exitCode !== null || Date.now() > deadline;
  const deadline = Date.now() + startWithinMs;
  while (!bff.url()) {
    if (isDead()) {
      await bff.stop();
      throw new Error(`the BFF does not start:\n${lines.join('\n')}`);
    }
    await sleep(20);
  }
  return bff;
}
