import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { idempotencyHeader, paths } from '../../shared/contract/paths.ts';
import { type Customer, openTickets } from '../bench/customers.ts';
import { terminate } from './events.ts';
import { type Environment, startEnvironment } from './servers/environment.ts';
import { timing } from './servers/instance.ts';

/*
 * How soon two instances on one PostgreSQL do as much as before a disturbance. Customers read and reply. Whether
 * something was lost or came twice is judged by what the service has at the end.
 */

const customers = 30;
/**
 * A customer begins this many a second, or the next as soon as one is answered. All together is less than two cores
 * can do: at the limit, the rate changes by a third from one window to the next without any disturbance.
 */
const perSecondEach = 5;
/** Of this many requests of a customer one is a reply, and the others read the list. */
const replyEvery = 4;
/** Another customer comes after this many, so that no conversation grows: what it costs would hide what is measured. */
const requestsEach = 200;
const windowS = 10;
/** What is done in the ten seconds after this one counts as after the disturbance. */
const recoveredS = 10;
const enough = 0.95;
/** Until everything in doubt is settled. */
const settledMs = 3 * timing.settleMs;

const repeated = async (times: number, pauseMs: number, run: () => Promise<unknown>): Promise<void> => {
  for (let nth = 0; nth < times; nth += 1) {
    await run();
    await sleep(pauseMs);
  }
};

/** Connections past the pooler, in use for a while. */
async function occupied({ postgres }: Environment, count: number, statement: string): Promise<void> {
  const clients = Array.from({ length: count }, () => new pg.Client(postgres.url));
  // The server ends those that stay in a transaction for too long.
  for (const client of clients) client.on('error', () => {});
  await Promise.all(clients.map((client) => client.connect().then(() => client.query(statement))));
  await sleep(windowS * 1_000);
  await Promise.all(clients.map((client) => client.end().catch(() => {})));
}

const disturbances: Record<string, (environment: Environment) => Promise<unknown>> = {
  'nothing, to compare': () => sleep(5_000),
  'restart of the server': ({ postgres }) => postgres.restart(),
  'all connections ended every 2 s for 30 s': ({ database }) =>
    repeated(15, 2_000, () => database.query(terminate)),
  'other programs hold 300 idle connections': (environment) => occupied(environment, 300, 'select 1'),
  'another program holds a transaction with a lock': (environment) =>
    occupied(environment, 1, 'begin; lock table tickets in share row exclusive mode'),
  'one instance killed five times': ({ instances }) =>
    repeated(5, 1_000, () => instances[0]!.replace('SIGKILL')),
  'restart of the pooler': ({ pooler }) => pooler.restart(),
};

/** Customers who ask until they are stopped. `done`: when each request was answered, by `performance.now()`. */
async function startLoad({ url }: Environment) {
  const done: number[] = [];
  const replies = new Map<string, string>();
  const leaving = new AbortController();

  async function act(number: number): Promise<void> {
    for (let next = number; !leaving.signal.aborted; next += customers) {
      const customer = await openTickets(url, 1, next).catch(() => null);
      if (customer) await actAs(customer, next);
      else await sleep(250);
    }
  }

  async function actAs({ headers, id }: Customer, number: number): Promise<void> {
    const ask = (path: string, key?: string, text?: string) =>
      request(url + path, {
        method: key ? 'POST' : 'GET',
        headers: { ...headers, ...(key && { [idempotencyHeader]: key, 'content-type': 'application/json' }) },
        body: key ? JSON.stringify({ body: text }) : null,
      }).then(
        async ({ statusCode, body }) => (await body.dump(), statusCode),
        () => 0,
      );
    for (let nth = 1; nth <= requestsEach && !leaving.signal.aborted; nth += 1) {
      const begun = performance.now();
      const text = `${number}.${nth}`;
      const key = nth % replyEvery === 0 ? randomUUID() : undefined;
      const run = () => (key ? ask(paths.messages(id), key, text) : ask(paths.tickets));
      // A request without an answer is repeated under its key, as the app does.
      for (let status = await run(); status < 200 || status > 299; status = await run()) await sleep(250);
      if (key) replies.set(text, id);
      done.push(performance.now());
      await sleep(Math.max(0, begun + 1_000 / perSecondEach - performance.now()));
    }
  }

  const acting = Array.from({ length: customers }, (_, number) => act(number));
  return {
    /** Requests a second, `lastS` seconds back. */
    rate: (lastS: number) => done.filter((at) => at > performance.now() - lastS * 1_000).length / lastS,
    async stop() {
      leaving.abort();
      await Promise.all(acting);
      return replies;
    },
  };
}

/** Disturbs one after the other. Returns the table of ratios, and what went wrong. */
export async function measureRecovery(): Promise<{ report: string; wrong: string[] }> {
  const environment = await startEnvironment(2, false);
  try {
    const load = await startLoad(environment);
    await sleep(2 * windowS * 1_000);
    const rows: string[] = [];
    const wrong: string[] = [];
    for (const [name, disturb] of Object.entries(disturbances)) {
      await sleep(windowS * 1_000);
      const before = load.rate(windowS);
      const begun = performance.now();
      await disturb(environment);
      const lastedS = (performance.now() - begun) / 1_000;
      const during = load.rate(lastedS);
      await sleep((recoveredS + windowS) * 1_000);
      const after = load.rate(windowS);
      const ratio = after / before;
      rows.push(
        `${name.padEnd(50)} ${[before, during, after].map((rate) => rate.toFixed(0).padStart(6)).join('')} ${ratio.toFixed(2).padStart(6)}`,
      );
      if (ratio < enough) wrong.push(`slow: ${name}: ${ratio.toFixed(2)} of before`);
    }
    const replies = await load.stop();
    await sleep(settledMs);
    const counts = new Map<string, number>();
    for (const { id, messages } of environment.service.tickets.values())
      for (const { body } of messages) counts.set(`${id} ${body}`, (counts.get(`${id} ${body}`) ?? 0) + 1);
    for (const [text, id] of replies) {
      const count = counts.get(`${id} ${text}`) ?? 0;
      if (count !== 1) wrong.push(`${count === 0 ? 'lost' : 'duplicated'}: reply ${text}`);
    }
    wrong.push(...environment.instances.flatMap(({ crashes }) => crashes));
    const head = `${'requests a second'.padEnd(50)} before during after  ratio`;
    return { report: [head, ...rows, `${replies.size} replies`].join('\n'), wrong };
  } finally {
    await environment.stop();
  }
}
