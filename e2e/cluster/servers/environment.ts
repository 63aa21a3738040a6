import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { paths } from '../../../bff/contract/paths.ts';
import { startFakeService } from '../../../scripts/fake-service.ts';
import { startPostgres } from '../../../scripts/postgres.ts';
import { buildClock } from '../../faults/servers/build.ts';
import { startBalancer } from './balancer.ts';
import { hookSecret, startInstance } from './instance.ts';
import { startPooler } from './pooler.ts';
import { startWebhooks } from './webhooks.ts';

const hourMs = 3_600_000;
/** Before a write is carried out, and again before it is answered: a process that dies meanwhile leaves it in doubt. */
const longestStepMs = 150;
/** The initial errors of the instances' wall clocks. */
const clocksOffMs = [0, 2 * hourMs, -hourMs];

/** The database settings that docs/operating.md requires, because the pooler passes on no settings of connections. */
const userLimits = [
  "statement_timeout = '5s'",
  "lock_timeout = '2s'",
  "idle_in_transaction_session_timeout = '10s'",
];

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

  try {
    const postgres = await keep(startPostgres());
    const kill = () => process.kill(postgres.pid, 'SIGKILL');
    process.once('exit', kill);
    stops.push(async () => process.off('exit', kill));
    const database = new pg.Pool({ connectionString: postgres.url, application_name: 'cluster run', max: 2 });
    // Connections are ended by plan.
    database.on('error', () => {});
    stops.push(() => database.end());
    for (const limit of userLimits) await database.query(`alter role current_user set ${limit}`);
    const pooler = await keep(startPooler(postgres.url));
    const service = await keep(startFakeService({ pauseMs: () => Math.random() * longestStepMs }));
    const dir = await mkdtemp(join(tmpdir(), 'deskside-cluster-'));
    stops.push(() => rm(dir, { recursive: true }));
    const clock = { preload: await buildClock(join(dir, 'built')), dir };
    const instances = await Promise.all(
      Array.from({ length: instanceCount }, (_, number) =>
        keep(
          startInstance({
            name: `instance ${number}`,
            serviceUrl: service.url,
            pooler,
            databaseUrl: postgres.url,
            clock,
            clockOffMs: clocksOffMs[number % clocksOffMs.length]!,
          }),
        ),
      ),
    );
    const balancer = await keep(startBalancer(instances.map(({ port }) => port)));
    const webhooks = hasWebhook
      ? await keep(Promise.resolve(startWebhooks(`${balancer.url}${paths.hooks}/${hookSecret}`)))
      : null;
    if (webhooks) service.onChange = webhooks.notify;
    return {
      url: balancer.url,
      webhooks,
      ownAnswers: balancer.ownAnswers,
      instances,
      pooler,
      service,
      database,
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;
