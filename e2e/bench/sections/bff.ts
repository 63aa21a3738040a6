import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPostgres, type PostgresServer, startPostgres } from '../../../scripts/postgres.ts';
import { freePort, type Running, startNode, untilUp } from '../../../scripts/processes.ts';
import { prepareRoutes, type Route } from '../load/bff-routes.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { type Answered, applyLoad } from '../load/http-load.ts';
import { installPeers, peerVersions } from '../peers/fetch-peer.ts';
import { memoryMb } from '../probes/process-usage.ts';
import { figure, type Figure, type Section } from '../report/figure.ts';
import { startSlimService } from '../servers/slim-service.ts';
import type { BenchOptions } from './section.ts';

/** One route alone, by the beginning of its name. */
const onlyRoute = process.env['ROUTE'];
/** Where to write a CPU profile of the BFF; none without it. */
const profileFile = process.env['PROFILE_FILE'];

/**
 * The target that is measured beside the BFF: a server that passes requests on, or the service itself, in this process.
 */
interface Other {
  name: string;
  url: string;
  running?: Running;
  /** Whether it can answer requests that the service cannot answer. */
  hasFiles: boolean;
}

async function startOther(name: string, entry: string, env: Record<string, string>): Promise<Other> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode(entry, { NODE_OPTIONS: '--import=tsx', PORT: String(port), ...env });
  await untilUp(`${url}/plain/1`, running);
  return { name, url, running, hasFiles: name === 'bare proxy' };
}

async function startOthers(serviceUrl: string, dir: string, notes: string[]): Promise<Other[]> {
  const env = { SERVICE_URL: serviceUrl };
  const others = [
    await startOther('bare proxy', 'e2e/bench/servers/passthrough.ts', { ...env, DATA_DIR: dir }),
  ];
  try {
    const peerDir = await installPeers('fastify', '@fastify/http-proxy');
    others.push(
      await startOther('fastify proxy', 'e2e/bench/peers/fastify-proxy.ts', { ...env, PEER_DIR: peerDir }),
    );
  } catch (error) {
    notes.push(`The fastify proxy is left out: ${String(error).split('\n')[0]}.`);
  }
  others.push({ name: 'service itself', url: serviceUrl, hasFiles: false });
  return others;
}

type Rounds = Record<string, Answered[]>;

async function measureRoute(
  { what, bff, beside, isOfService }: Route,
  pid: number,
  others: Other[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Figure[]> {
  const ours: Answered[] = [];
  const theirs: Rounds = {};
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, url, running, hasFiles } of others) {
      if (!isOfService && !hasFiles) continue;
      const { path, body } = beside;
      const load = { url: url + path, ...(body && { body }) };
      (theirs[name] ??= []).push(await applyLoad(load, seconds, running?.child.pid));
    }
    ours.push(await applyLoad(bff, seconds, pid));
  }
  const besideOf = (of: (answered: Answered) => number | null) =>
    Object.fromEntries(
      Object.entries(theirs)
        .map(([name, all]) => [name, all.flatMap((each) => of(each) ?? [])] as const)
        .filter(([, values]) => values.length > 0),
    );
  const cpu = ours.flatMap(({ cpuMicros }) => cpuMicros ?? []);
  return [
    figure({
      table: 'Requests a second',
      what,
      unit: '1/s',
      better: 'higher',
      of: ours.map(({ perSecond }) => perSecond),
      beside: besideOf(({ perSecond }) => perSecond),
    }),
    ...(cpu.length > 0
      ? [
          figure({
            table: 'Processor time a request',
            what,
            unit: 'µs',
            of: cpu,
            beside: besideOf(({ cpuMicros }) => cpuMicros),
          }),
        ]
      : []),
    figure({
      table: '99th percentile of the waits, 50 connections',
      what,
      unit: 'ms',
      of: ours.map(({ p99 }) => p99),
      beside: besideOf(({ p99 }) => p99),
    }),
  ];
}

async function memoryFigures(table: string, pid: number, others: Other[]): Promise<Figure[]> {
  const ours = await memoryMb(pid);
  if (ours === null) return [];
  const beside: Record<string, number[]> = {};
  for (const { name, running } of others) {
    const mb = running && (await memoryMb(running.child.pid!));
    if (mb) beside[name] = [mb];
  }
  return [figure({ table: 'Memory', what: table, unit: 'MB', of: [ours], beside })];
}

/** The database of a BFF's store. */
interface Kept {
  /** Added to the names of the routes. */
  suffix: string;
  env: Record<string, string>;
}

/** As durable as SQLite is: a commit waits for the disk. */
const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];

const onFile: Kept = {
  suffix: '',
  env: profileFile
    ? { PROFILE_FILE: profileFile, NODE_OPTIONS: '--import=./e2e/bench/probes/profile.mjs' }
    : {},
};

const onServer = ({ url }: PostgresServer): Kept => ({
  suffix: ', on PostgreSQL',
  env: { DATABASE_URL: url, SECRET_KEY: 'a secret of more than thirty-two characters' },
});

/** Measures one built BFF, from its start to its end. */
async function measureBff(
  { suffix, env }: Kept,
  service: Awaited<ReturnType<typeof startSlimService>>,
  others: Other[],
  pace: { rounds: number; seconds: number; restMs: number },
): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const bff = await startBuiltBff(service.url, dir, env);
  const pid = bff.child.pid!;
  try {
    // V8 releases the memory of the start once the process has been idle for a while.
    await sleep(pace.restMs);
    const atStart = await memoryFigures(`before the first request${suffix}`, pid, others);
    const routes = await prepareRoutes(bff.url, service);
    if (env['PROFILE_FILE']) bff.child.kill('SIGUSR2');
    const figures: Figure[] = [];
    for (const route of routes.filter(({ what }) => !onlyRoute || what.startsWith(onlyRoute)))
      if (route.isOfService || suffix === '')
        figures.push(...(await measureRoute({ ...route, what: route.what + suffix }, pid, others, pace)));
    const atEnd = await memoryFigures(`after all requests${suffix}`, pid, others);
    return [...figures, ...atStart, ...atEnd];
  } finally {
    await bff.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Requests to the built BFF beside servers that only pass them on. */
export async function benchBff({ isQuick }: BenchOptions): Promise<Section> {
  const pace = isQuick ? { rounds: 2, seconds: 1, restMs: 0 } : { rounds: 5, seconds: 3, restMs: 30_000 };
  const notes: string[] = [];
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const postgres = findPostgres() && !profileFile ? await startPostgres(durable) : undefined;
  if (!postgres) notes.push('PostgreSQL is left out: it is not on this machine.');
  const others = await startOthers(service.url, dir, notes);
  try {
    const figures: Figure[] = [];
    for (const kept of postgres ? [onFile, onServer(postgres)] : [onFile])
      figures.push(...(await measureBff(kept, service, others, pace)));
    const tables = [...new Set(figures.map(({ table }) => table))];
    return {
      figures: tables.flatMap((table) => figures.filter((each) => each.table === table)),
      plots: [],
      notes: [
        '**bare proxy** is a `node:http` server that passes a request on; for sends it first commits a row to disk, and for ' +
          'files it answers as many bytes. **fastify proxy** is `@fastify/http-proxy` ' +
          `${peerVersions['@fastify/http-proxy']} on fastify ${peerVersions.fastify}: it keeps nothing. **service itself** ` +
          'is asked without anything between; it runs in the process that makes the load. None of them has sessions or ' +
          'decides who may see a ticket.',
        ...notes,
      ],
    };
  } finally {
    for (const { running } of others) await running?.stop();
    await service.stop();
    await postgres?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
