import { startBff } from '../../faults/servers/bff.ts';
import { startTime } from '../../faults/time/time.ts';
import { type HalfOpen, startHalfOpen } from './half-open.ts';

const secretKey = 'a-secret-key-of-the-cluster-run-with-64-characters-0123456789-ab';
export const hookSecret = 'the-webhook-secret-of-the-cluster-run';

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
  PUBLIC_URL: 'http://support.test',
  SECRET_KEY: secretKey,
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
  /** The built `clock.ts`. */
  preload: string;
  /** The initial error of its wall clock, in milliseconds. */
  clockOffMs: number;
}) {
  const { name, serviceUrl, pooler, databaseUrl, preload, clockOffMs } = options;
  const toPooler = await startHalfOpen(pooler.port);
  const toDatabase = await startHalfOpen(Number(new URL(databaseUrl).port));
  const ways = [toPooler, toDatabase];
  const through = (url: string, way: HalfOpen) => url.replace(/:\d+\//, `:${way.port}/`);
  /** Each instance has its own, so that the service knows which one reads. */
  const key = `cluster-key-${name.replace(' ', '-')}`;
  const bff = await startBff({
    settings: {
      ...settings,
      SUPPORT_API_URL: serviceUrl,
      SUPPORT_API_KEY: key,
      DATABASE_URL: through(pooler.url, toPooler),
      DATABASE_NOTIFY_URL: through(databaseUrl, toDatabase),
    },
    secrets: [key, secretKey, hookSecret],
    clock: { time: startTime(), preload, offMs: clockOffMs },
  });
  return {
    ...bff,
    name,
    /** Bytes between it and the database no longer pass. */
    cut: () => ways.forEach((way) => way.cut()),
    heal: () => ways.forEach((way) => way.heal()),
    /** @throws when a log line has data of a customer, or a key */
    async stop(): Promise<void> {
      await bff.stop();
      await Promise.all(ways.map((way) => way.stop()));
    },
  };
}
