import { setTimeout as sleep } from 'node:timers/promises';
import { timing } from './servers/instance.ts';
import type { Environment } from './servers/environment.ts';
import type { EventKind, PlannedEvent } from './plan.ts';

const frozenMs = timing.leaseMs + 3_000;
/** Longer than a BFF waits for an answer of the database (6 s). */
const cutMs = 9_000;
/** The time until the previous state is restored. */
const afterMs = 5_000;

/** Ends all connections of the instances. */
export const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and application_name <> 'cluster run'`;

/** What happened and when; times are those of `performance.now()`. */
export interface Happened {
  kind: EventKind;
  where: string;
  fromMs: number;
  /** Shortly after the repair. Infinity while the event lasts. */
  toMs: number;
}

/** Causes one event, and repairs its effects. */
async function carryOut(
  { kind, instance, clockOffMs }: PlannedEvent,
  environment: Environment,
): Promise<void> {
  const { instances, database, pooler } = environment;
  const one = instances[instance]!;
  switch (kind) {
    case 'killed':
      return one.replace('SIGKILL');
    case 'ended':
      return one.replace('SIGTERM');
    case 'frozen past the lease':
      one.freeze();
      await sleep(frozenMs);
      return one.thaw();
    case 'cut off from the database':
      one.cut();
      await sleep(cutMs);
      return one.heal();
    case 'database away from all':
      for (const each of instances) each.cut();
      await sleep(cutMs);
      return instances.forEach((each) => each.heal());
    case 'connections ended by PostgreSQL':
      return void (await database.query(terminate));
    case 'clock set':
      return one.setClock(clockOffMs);
    case 'pooler started again':
      return pooler.restart();
  }
}

const befallsOne = new Set<EventKind>([
  'killed',
  'ended',
  'frozen past the lease',
  'cut off from the database',
  'clock set',
]);

/**
 * Carries out one event after the other until `untilMs`, a time of `performance.now()`. Appends each event to the given
 * list when it happens.
 */
export async function runEvents(
  planned: readonly PlannedEvent[],
  { environment, untilMs, happened }: { environment: Environment; untilMs: number; happened: Happened[] },
): Promise<void> {
  for (const event of planned) {
    if (performance.now() + event.pauseMs + cutMs + afterMs > untilMs) return;
    await sleep(event.pauseMs);
    const where = befallsOne.has(event.kind) ? `instance ${event.instance}` : '';
    const entry: Happened = { kind: event.kind, where, fromMs: performance.now(), toMs: Infinity };
    happened.push(entry);
    await carryOut(event, environment);
    entry.toMs = performance.now() + afterMs;
  }
}
