import autocannon from 'autocannon';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idempotencyHeader, paths } from '../../shared/contract/paths.ts';
import { type FakeService, startFakeService } from '../../scripts/fake-service.ts';
import { findPostgres, startPostgres } from '../../scripts/postgres.ts';
import { type Customer, newTicket, openTickets } from './customers.ts';
import type { BenchOptions, Figure, Section } from './report.ts';
import { cpuSeconds, memoryKb, startBareServer, startBuiltBff } from './servers.ts';

/** One route alone, by the beginning of its name. */
const onlyRoute = process.env['ROUTE'] ?? '';
const connections = 50;
/** For sends: each of another customer and ticket, because sends to one ticket are sequential. */
const senders = 200;
/** As durable as SQLite is: a commit waits for the disk. */
const durable = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on'];

interface Load {
  url: string;
  headers?: Record<string, string>;
  /** Sends each request as a POST of this body with its own key, in turn to each entry of `to`. */
  body?: object;
  to?: { path: string; headers: Record<string, string> }[];
}

interface Route {
  what: string;
  bff: Load;
  /** The request for the servers that are measured beside the BFF: a path, and a body for a POST. */
  beside: { path: string; body?: object };
  /** Whether the ticket service can answer it. */
  isOfService: boolean;
}

interface Answered {
  perSecond: number;
  p99: number;
  cpuMicros: number;
}

/**
 * Sends requests as fast as the answers arrive. `pid`: the process that answers.
 * @throws when an answer is no success
 */
async function applyLoad(
  { url, headers = {}, body, to }: Load,
  seconds: number,
  pid: number,
): Promise<Answered> {
  let turn = 0;
  const before = await cpuSeconds(pid);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(body && {
      requests: [
        {
          method: 'POST',
          body: JSON.stringify(body),
          setupRequest: (request) => {
            const target = to?.[(turn += 1) % to.length];
            const key = { 'content-type': 'application/json', [idempotencyHeader]: randomUUID() };
            return {
              ...request,
              ...(target && { path: target.path }),
              headers: { ...headers, ...target?.headers, ...key },
            };
          },
        },
      ],
    }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers without success, ${result.errors} errors`);
  const cpuMicros = (((await cpuSeconds(pid)) - before) * 1e6) / result.requests.total;
  return { perSecond: result.requests.average, p99: result.latency.p99, cpuMicros };
}

/** Creates the customers who request the routes. */
async function prepareRoutes(url: string, service: FakeService): Promise<Route[]> {
  const one = await openTickets(url, 1);
  const many = await openTickets(url, 20);
  const customers: Customer[] = [];
  for (let n = 0; n < senders; n += 1) customers.push(await openTickets(url, 1));
  service.addMessage(one.id, 'agent', 'We look into it.');
  const read = (what: string, path: string, { headers }: Customer): Route => ({
    what,
    bff: { url: url + path, headers },
    beside: { path: `/api/v1/tickets/${one.id}` },
    isOfService: true,
  });
  const send = (what: string, body: object, pathOf: (id: string) => string): Route => ({
    what,
    bff: { url, body, to: customers.map(({ id, headers }) => ({ path: pathOf(id), headers })) },
    beside: { path: '/api/v1/tickets', body: newTicket },
    isOfService: true,
  });
  const file = async (path: string): Promise<Route> => {
    const { byteLength } = await (await fetch(url + path)).arrayBuffer();
    return {
      what: path,
      bff: { url: url + path },
      beside: { path: `/plain/${byteLength}` },
      isOfService: false,
    };
  };
  return [
    read('conversation', paths.ticket(one.id), one),
    read('list of 1', paths.tickets, one),
    read('list of 20', paths.tickets, many),
    read('session', paths.session, one),
    send('reply', { body: 'And one more question.' }, (id) => paths.messages(id)),
    send('ticket', newTicket, () => paths.tickets),
    await file('/frame'),
    await file('/widget.js'),
  ];
}

interface Other {
  name: string;
  url: string;
  pid: number;
  hasFiles: boolean;
}

interface Pace {
  rounds: number;
  seconds: number;
}

async function measureRoute(
  route: Route,
  pid: number,
  others: Other[],
  { rounds, seconds }: Pace,
): Promise<Figure[]> {
  const ours: Answered[] = [];
  const theirs = new Map<string, Answered[]>();
  const { path, body } = route.beside;
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, url, pid: other, hasFiles } of others)
      if (route.isOfService || hasFiles)
        theirs.set(name, [
          ...(theirs.get(name) ?? []),
          await applyLoad({ url: url + path, ...(body && { body }) }, seconds, other),
        ]);
    ours.push(await applyLoad(route.bff, seconds, pid));
  }
  const compared = (table: string, unit: string, of: (answered: Answered) => number): Figure => ({
    table,
    what: route.what,
    unit,
    of: ours.map(of),
    beside: Object.fromEntries([...theirs].map(([name, all]) => [name, all.map(of)])),
  });
  return [
    compared('Requests a second (more is better)', '1/s', ({ perSecond }) => perSecond),
    compared('Processor time a request', 'µs', ({ cpuMicros }) => cpuMicros),
    compared('99th percentile of the waits, 50 connections', 'ms', ({ p99 }) => p99),
  ];
}

/** Measures one built BFF, from its start to its end. `suffix` is added to the names of the routes. */
async function measureBff(
  suffix: string,
  env: Record<string, string>,
  { service, others, pace }: { service: FakeService & { url: string }; others: Other[]; pace: Pace },
): Promise<Figure[]> {
  const bff = await startBuiltBff(service.url, env);
  const memory = async (what: string): Promise<Figure> => ({
    table: 'Memory',
    what: what + suffix,
    unit: 'MB',
    of: [(await memoryKb(bff.pid)) / 1024],
  });
  try {
    const figures = [await memory('before the first request')];
    for (const route of await prepareRoutes(bff.url, service))
      if (route.what.startsWith(onlyRoute) && (route.isOfService || suffix === ''))
        figures.push(...(await measureRoute({ ...route, what: route.what + suffix }, bff.pid, others, pace)));
    return [...figures, await memory('after all requests')];
  } finally {
    await bff.stop();
  }
}

/** Requests to the built BFF beside servers that only pass them on. */
export async function benchBff({ isQuick }: BenchOptions): Promise<Section> {
  const pace = isQuick ? { rounds: 2, seconds: 1 } : { rounds: 5, seconds: 3 };
  const service = await startFakeService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const postgres = findPostgres() ? await startPostgres(durable) : undefined;
  const bare = await startBareServer(service.url, dir);
  const bareOnServer = postgres && (await startBareServer(service.url, dir, postgres.url));
  const besides = ({ url, pid }: typeof bare): Other[] => [
    { name: 'bare proxy', url, pid, hasFiles: true },
    { name: 'service itself', url: service.url, pid: process.pid, hasFiles: false },
  ];
  try {
    const figures = await measureBff('', {}, { service, others: besides(bare), pace });
    if (postgres && bareOnServer) {
      const others = besides(bareOnServer);
      const env = { DATABASE_URL: postgres.url, SECRET_KEY: 'a secret of more than thirty-two characters' };
      figures.push(...(await measureBff(', on PostgreSQL', env, { service, others, pace })));
    }
    return {
      figures,
      notes: [
        '**bare proxy** is a `node:http` server that passes a request on; for sends it first commits a row to the same ' +
          'kind of store, and for files it answers as many bytes. **service itself** runs in the process that makes the load. Neither has ' +
          'sessions or decides who may see a ticket.',
        ...(postgres ? [] : ['PostgreSQL is left out: it is not on this machine.']),
      ],
    };
  } finally {
    await bare.stop();
    await bareOnServer?.stop();
    await service.stop();
    await postgres?.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
