import { chownSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { startFakeService } from '../../../scripts/fake-service.ts';
import { startPostgres, unprivileged } from '../../../scripts/postgres.ts';
import { freePort, startProgram } from '../../../scripts/processes.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { buildClock } from '../../faults/servers/build.ts';
import { hookSecret, startInstance } from './instance.ts';

const hourMs = 3_600_000;
/** Before a write is carried out, and again before it is answered: a process that dies meanwhile leaves it in doubt. */
const longestStepMs = 150;
/** The initial errors of the instances' wall clocks. */
const clocksOffMs = [0, 2 * hourMs, -hourMs];
/** The first retry of `service/webhooks/`. Its next one is minutes later. */
const hookAgainMs = 5_000;
const hookPatienceMs = 15_000;

/** The database settings that docs/operating.md requires, because the pooler passes on no settings of connections. */
const userLimits = [
  "statement_timeout = '5s'",
  "lock_timeout = '2s'",
  "idle_in_transaction_session_timeout = '10s'",
];

/** nginx in front of these instances. */
async function startBalancer(dir: string, instancePorts: readonly number[]) {
  const port = await freePort();
  const template = await readFile('e2e/cluster/servers/nginx.conf', 'utf8');
  const servers = instancePorts.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join('\n');
  const config = join(dir, 'nginx.conf');
  await writeFile(
    config,
    template.replaceAll('DIR', dir).replaceAll('SERVERS', servers).replaceAll(':PORT', `:${port}`),
  );
  const running = await startProgram('/usr/sbin/nginx', ['-p', dir, '-c', config, '-e', 'stderr'], { port });
  return { url: `http://127.0.0.1:${port}`, stop: () => running.stop() };
}

/** PgBouncer in transaction mode before this database, configured as docs/operating.md says. */
async function startPooler(dir: string, databaseUrl: string) {
  const { hostname, port: databasePort, username, pathname } = new URL(databaseUrl);
  const user = unprivileged();
  const config = join(dir, 'pgbouncer.ini');
  const port = await freePort();
  const lines = [
    '[databases]',
    `postgres = host=${hostname} port=${databasePort} user=${username}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 40',
    'max_client_conn = 500',
    'server_login_retry = 1',
    'ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
  ];
  await writeFile(config, lines.join('\n'));
  if (user.uid !== undefined) for (const path of [dir, config]) chownSync(path, user.uid, user.gid!);
  const start = () => startProgram('/usr/sbin/pgbouncer', ['-q', config], { port, ...user });
  let running = await start();
  return {
    port,
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    /** All its connections end at once, on both sides. */
    async restart(): Promise<void> {
      await running.stop('SIGKILL');
      running = await start();
    },
    stop: () => running.stop('SIGKILL'),
  };
}

/** Sends a webhook for a ticket that has changed; once more if it is not taken. */
async function announce(url: string, ticketId: string, hasFailed = false): Promise<void> {
  const body = JSON.stringify({ type: 'ticket.message.created', data: { ticket_id: ticketId } });
  const headers = { 'Content-Type': 'application/json' };
  const answer = await request(url, { method: 'POST', headers, body, headersTimeout: hookPatienceMs }).catch(
    () => null,
  );
  await answer?.body.dump().catch(() => {});
  if ((answer && answer.statusCode < 300) || hasFailed) return;
  await sleep(hookAgainMs, undefined, { ref: false });
  await announce(url, ticketId, true);
}

/**
 * Starts a balancer, this many instances, a pooler, a database and a ticket service, which sends webhooks through the
 * balancer if requested. The instances start simultaneously on an empty database.
 * @throws when one of them does not start; the others are stopped then
 */
export async function startEnvironment(instanceCount: number, hasWebhook: boolean) {
  const stops: (() => Promise<unknown>)[] = [];
  async function stop(): Promise<void> {
    const errors: unknown[] = [];
    for (const each of stops.splice(0).toReversed())
      await each().catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  }
  async function keep<T extends { stop(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    stops.push(() => started.stop());
    return started;
  }
  async function makeDir(): Promise<string> {
    const dir = await mkdtemp(join(tmpdir(), 'deskside-cluster-'));
    stops.push(() => rm(dir, { recursive: true }));
    return dir;
  }

  try {
    const postgres = await keep(startPostgres(['max_connections=400']));
    const database = new pg.Pool({ connectionString: postgres.url, application_name: 'cluster run', max: 2 });
    // Connections are ended by plan.
    database.on('error', () => {});
    stops.push(() => database.end());
    for (const limit of userLimits) await database.query(`alter role current_user set ${limit}`);
    const pooler = await keep(startPooler(await makeDir(), postgres.url));
    const service = await keep(startFakeService({ pauseMs: () => Math.random() * longestStepMs }));
    const preload = await buildClock(await makeDir());
    const instances = await Promise.all(
      Array.from({ length: instanceCount }, (_, number) =>
        keep(
          startInstance({
            name: `instance ${number}`,
            serviceUrl: service.url,
            pooler,
            databaseUrl: postgres.url,
            preload,
            clockOffMs: clocksOffMs[number % clocksOffMs.length]!,
          }),
        ),
      ),
    );
    const ports = instances.map(({ port }) => port);
    const { url } = await keep(startBalancer(await makeDir(), ports));
    const hookUrl = `${url}${paths.hooks}/${hookSecret}`;
    if (hasWebhook) service.onChange = (ticketId) => void announce(hookUrl, ticketId);
    return { url, instances, pooler, postgres, service, database, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
