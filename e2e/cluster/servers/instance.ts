import { once } from 'node:events';
import { join } from 'node:path';
import { leaksIn } from '../../../scripts/leaks.ts';
import { freePort, type Running, untilUp } from '../../../scripts/processes.ts';
import { startChild } from '../../faults/servers/children.ts';
import { shiftClock } from '../../faults/time/clock-file.ts';
import { type HalfOpen, startHalfOpen } from './half-open.ts';

/** The highest accepted values, because the run does not test limits. */
const unlimited = '1000000';
const secretKey = 'a-secret-key-of-the-cluster-run-with-64-characters-0123456789-ab';
export const hookSecret = 'the-webhook-secret-of-the-cluster-run';
const keptLines = 2_000;
/** Longer than a BFF takes to end (10 s). */
const endWithinMs = 15_000;

export const timing = {
  upstreamTimeoutMs: 1_000,
  /** The lease of a send, as `bff/config.ts` derives it. */
  leaseMs: 5_000,
  /** Longer than any freeze, because the promises do not cover what a process sends after a longer freeze. */
  settleMs: 20_000,
  watchActiveMs: 1_000,
} as const;

const settings = {
  WEBHOOK_SECRET: hookSecret,
  ALLOWED_ORIGINS: 'http://shop.test',
  PUBLIC_URL: 'http://support.test',
  SECRET_KEY: secretKey,
  TRUST_PROXY: '1',
  POW: 'off',
  LIMIT_TICKETS_PER_SESSION: unlimited,
  LIMIT_TICKETS_PER_IP: unlimited,
  LIMIT_TICKETS_PER_ADDRESS: unlimited,
  LIMIT_MESSAGES_PER_SESSION: unlimited,
  LIMIT_REQUESTS_PER_IP: unlimited,
  LIMIT_STREAMS_PER_IP: unlimited,
  UPSTREAM_TIMEOUT_MS: String(timing.upstreamTimeoutMs),
  SETTLE_MS: String(timing.settleMs),
  WATCH_ACTIVE_MS: String(timing.watchActiveMs),
  UPSTREAM_READS_PER_S: '50',
  LOG_LEVEL: 'warn',
};

/** One of several BFFs on one database, with its connections to the database. */
export async function startInstance(options: {
  name: string;
  serviceUrl: string;
  /** The addresses that it uses while no connection is cut. */
  pooler: { url: string; port: number };
  databaseUrl: string;
  /** The built `clock.ts`, and a folder for the file that it reads. */
  clock: { preload: string; dir: string };
  /** The initial error of its wall clock, in milliseconds. */
  clockOffMs: number;
}) {
  const { name, serviceUrl, pooler, databaseUrl, clock } = options;
  const toPooler = await startHalfOpen(pooler.port);
  const toDatabase = await startHalfOpen(Number(new URL(databaseUrl).port));
  const through = (url: string, way: HalfOpen) => url.replace(/:\d+\//, `:${way.port}/`);
  const [port, adminPort] = [await freePort(), await freePort()];
  /** Each instance has its own, so that the service knows which one reads. */
  const id = name.replace(' ', '-');
  const key = `cluster-key-${id}`;
  const shiftsFile = join(clock.dir, id);
  const setClock = (offMs: number) =>
    shiftClock(shiftsFile, [{ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER, byMs: offMs }]);
  setClock(options.clockOffMs);
  const lines: string[] = [];
  const leaks: string[] = [];

  function start(): Running {
    return startChild(
      'dist/bff/main.js',
      {
        ...settings,
        SUPPORT_API_URL: serviceUrl,
        SUPPORT_API_KEY: key,
        DATABASE_URL: through(pooler.url, toPooler),
        DATABASE_NOTIFY_URL: through(databaseUrl, toDatabase),
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        NODE_OPTIONS: `--import=${clock.preload}`,
        CLOCK_SHIFTS: shiftsFile,
      },
      (line) => {
        leaks.push(...leaksIn([line], [key, secretKey, hookSecret]));
        lines.push(line);
        if (lines.length > keptLines) lines.shift();
      },
    );
  }
  const untilReady = (running: Running) => untilUp(`http://127.0.0.1:${adminPort}/readyz`, running);

  const crashes: string[] = [];
  let running: Running;
  let isEnding = false;

  /** Starts the process, and starts it again when it ends by itself. */
  async function live(): Promise<void> {
    isEnding = false;
    const started = start();
    running = started;
    void started.exited.then((code) => {
      if (isEnding) return;
      crashes.push(`${name} ended by itself, code ${code}: ${lines.at(-1)}`);
      live().catch((error: unknown) => crashes.push(`${name} does not start again: ${String(error)}`));
    });
    await untilReady(started);
  }
  await live();

  async function end(signal: NodeJS.Signals): Promise<void> {
    isEnding = true;
    running.child.kill(signal);
    await Promise.race([running.exited, once(AbortSignal.timeout(endWithinMs), 'abort')]);
    running.child.kill('SIGKILL');
    await running.exited;
  }

  const ways = [toPooler, toDatabase];
  return {
    name,
    port,
    lines: (): readonly string[] => lines,
    /** How its processes ended by themselves, one line each. */
    crashes: (): readonly string[] => crashes,
    /** `SIGKILL` as a power cut, `SIGTERM` as an update; up again when this resolves. */
    async replace(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
      await end(signal);
      await live();
    },
    freeze: () => void running.child.kill('SIGSTOP'),
    thaw: () => void running.child.kill('SIGCONT'),
    /** From now on its wall clock is wrong by this many milliseconds. */
    setClock,
    /** Bytes between it and the database no longer pass. */
    cut: () => ways.forEach((way) => way.cut()),
    heal: () => ways.forEach((way) => way.heal()),
    /** @throws when a log line has data of a customer, or a key */
    async stop(): Promise<void> {
      await end('SIGTERM');
      await Promise.all(ways.map((way) => way.stop()));
      if (leaks.length > 0) throw new Error(`strangers may read this:\n${leaks.join('\n')}`);
    },
  };
}
