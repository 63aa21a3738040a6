import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { valueOf } from '../../testing/metrics.ts';
import { databaseOf } from '../../testing/store/test-store.ts';
import { startStreams, type TestStreams, until } from '../../testing/streams.ts';
import { shardCount } from '../../core/live/readers.ts';
import { leaseMs } from './leases.ts';
import { clusterOf } from './testing/cluster.ts';

/** No ticket becomes due for another read during a test. */
const rareReads = { watchActiveMs: 600_000, watchIdleMs: 600_000 };
const often = { watchActiveMs: 50, watchIdleMs: 50 };

let dataDir: string;
let instances: TestBff[];
let streams: TestStreams[];
beforeEach(() => {
  dataDir = randomUUID();
  instances = [];
  streams = [];
  // The test itself renews the leases.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  for (const each of streams) await each.stop();
  for (const each of instances.toReversed()) await each.stop();
  vi.useRealTimers();
});

async function join(settings: typeof rareReads): Promise<TestBff> {
  const [beside] = instances;
  const bff = await startBff({ dataDir, ...settings, ...(beside && { beside }) });
  instances.push(bff);
  return bff;
}

/** Two instances, each with half of the shards. */
async function joinTwo(settings: typeof rareReads): Promise<[TestBff, TestBff]> {
  const [here, there] = [await join(settings), await join(settings)];
  await clusterOf(here).reading.renew();
  await clusterOf(there).reading.renew();
  return [here, there];
}

const isReader = (bff: TestBff, ticketId: string) =>
  clusterOf(bff).reading.readers.termOf(ticketId) !== undefined;

/** Opens a ticket that `reader` reads for all instances. */
async function openTicketOf(reader: TestBff) {
  for (;;) {
    const browser = reader.browser();
    const { data } = await browser.openTicket();
    if (isReader(reader, data.id)) return { id: data.id as string, cookie: browser.cookie };
    // On a busy machine its leases may have ended.
    await clusterOf(reader).reading.renew();
  }
}

async function watch(bff: TestBff, ticket: { id: string; cookie: string }) {
  const server = await startStreams(bff);
  streams.push(server);
  return server.listen(ticket.cookie, ticket.id);
}

const query = <Row>(text: ReturnType<typeof sql<Row>>) => text.execute(instances[0]!.store);

const untilWanted = (ticketId: string, by = 1) =>
  until(async () => {
    const found = await query(sql`select 1 from interests where ticket_id = ${ticketId}`);
    expect(found.rows).toHaveLength(by);
  });

const reads = async (bff: TestBff) =>
  valueOf(
    await bff.metrics.registry.metrics(),
    'deskside_service_requests_total{call="read",outcome="ok"}',
  ) ?? 0;

type Stream = Awaited<ReturnType<typeof watch>>;
const untilShown = (stream: Stream, body: string) =>
  until(() => expect(JSON.stringify(stream.of('message'))).toContain(body));

const answer = (ticketId: string, body: string) => instances[0]!.service.addMessage(ticketId, 'agent', body);

/** Makes the instance seem silent for the duration of a lease, to the database and by its own clock. */
async function freeze(bff: TestBff): Promise<void> {
  bff.clock.offsetMs += leaseMs;
  await query(sql`update watch_shards set until = 0 where holder = ${clusterOf(bff).instance}`);
  await query(sql`update instances set seen_at = seen_at - 10000 where id = ${clusterOf(bff).instance}`);
}

describe('a ticket with viewers on two instances', () => {
  it('is read by one of them, and the other reads once when there is something new [live-22]', async () => {
    const [reader, other] = await joinTwo(often);
    const ticket = await openTicketOf(reader);
    const both = [await watch(reader, ticket), await watch(other, ticket)];
    await untilWanted(ticket.id, 2);
    await clusterOf(reader).reading.renew();
    const before = await reads(other);
    answer(ticket.id, 'On its way.');
    for (const stream of both) await untilShown(stream, 'On its way.');
    const ofReader = await reads(reader);
    await until(async () => {
      for (const each of instances) await clusterOf(each).reading.renew();
      expect(await reads(reader)).toBeGreaterThan(ofReader + 10);
    });
    expect((await reads(other)) - before).toBe(1);
  });

  it('is read at once by the instance with the viewers when that gets a webhook for it, and not by its reader as well', async () => {
    const [reader, other] = await joinTwo(rareReads);
    const ticket = await openTicketOf(reader);
    const stream = await watch(other, ticket);
    await untilWanted(ticket.id);
    const before = await reads(reader);
    answer(ticket.id, 'On its way.');
    await reader.live.hint(ticket.id);
    await untilShown(stream, 'On its way.');
    expect(await reads(reader)).toBe(before);
  });
});

it('is read by the instance with the viewers when another one sees it change in the list', async () => {
  const [lister, other] = await joinTwo(rareReads);
  const ticket = await openTicketOf(lister);
  const stream = await watch(other, ticket);
  await untilWanted(ticket.id);
  const before = await reads(lister);
  answer(ticket.id, 'On its way.');
  clusterOf(lister).reading.readers.moved([ticket.id, randomUUID()]);
  await untilShown(stream, 'On its way.');
  expect(await reads(lister)).toBe(before);
});

describe('a ticket that only other instances have viewers of', () => {
  it('is read by its reader for them, and no longer once they are gone', async () => {
    const [reader, other] = await joinTwo(often);
    const ticket = await openTicketOf(reader);
    const stream = await watch(other, ticket);
    await untilWanted(ticket.id);
    await clusterOf(reader).reading.renew();
    answer(ticket.id, 'On its way.');
    await untilShown(stream, 'On its way.');
    stream.stop();
    await untilWanted(ticket.id, 0);
    await until(async () => {
      reader.clock.offsetMs += 1_000;
      await clusterOf(reader).reading.renew();
      expect(reader.live.counts().watches).toBe(0);
    });
  });

  it('whose reader cannot read it is read by the instance with the viewers, which reports whether it can', async () => {
    const [reader, other] = await joinTwo(often);
    const ticket = await openTicketOf(reader);
    const stream = await watch(other, ticket);
    await untilWanted(ticket.id);
    await clusterOf(reader).reading.renew();
    reader.service.answer = () => ({ statusCode: 500 });
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: false }));
    reader.service.answer = undefined;
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
  });
});

describe('when the reader of a ticket stops without notice', () => {
  it('another instance reads the ticket, and reports an answer that came meanwhile [live-25]', async () => {
    const [viewed, next] = await joinTwo(rareReads);
    const ticket = await openTicketOf(viewed);
    await query(sql`update watch_shards set holder = 'frozen', until = until + 60000`);
    for (const each of instances) await clusterOf(each).reading.renew();
    const stream = await watch(viewed, ticket);
    await untilWanted(ticket.id);
    const before = await reads(viewed);
    answer(ticket.id, 'On its way.');
    await query(sql`update watch_shards set until = 0`);
    while (!isReader(next, ticket.id)) await clusterOf(next).reading.renew();
    await untilShown(stream, 'On its way.');
    expect((await reads(viewed)) - before).toBe(1);
  });

  it('the stopped one reads for nobody when it resumes, and then gets its share of shards again [live-24]', async () => {
    const [frozen, other] = await joinTwo(often);
    const ticket = await openTicketOf(frozen);
    const stream = await watch(other, ticket);
    await untilWanted(ticket.id);
    await clusterOf(frozen).reading.renew();
    await freeze(frozen);
    const before = await reads(frozen);
    await clusterOf(other).reading.renew();
    expect(isReader(frozen, ticket.id)).toBe(false);
    answer(ticket.id, 'On its way.');
    await untilShown(stream, 'On its way.');
    expect(await reads(frozen)).toBe(before);
    await clusterOf(frozen).reading.renew();
    await clusterOf(other).reading.renew();
    await until(() => expect(clusterOf(frozen).reading.readers.shards()).toBe(shardCount / 2));
  });
});

it('an instance that gets no answer from the service leaves its tickets to others, and tries again after a while', async () => {
  const [failing, other] = await joinTwo(often);
  const ticket = await openTicketOf(failing);
  const stream = await watch(other, ticket);
  await untilWanted(ticket.id);
  await clusterOf(failing).reading.renew();
  vi.spyOn(failing.v1, 'getTicket').mockResolvedValue({
    ok: false,
    failure: { kind: 'not_connected' },
    serverTime: null,
  });
  await until(() => expect(failing.live.isBreakerOpen()).toBe(true));
  await clusterOf(failing).reading.renew();
  expect(clusterOf(failing).reading.readers.shards()).toBe(0);
  await clusterOf(other).reading.renew();
  answer(ticket.id, 'On its way.');
  await untilShown(stream, 'On its way.');
  failing.clock.offsetMs += 30_000;
  await clusterOf(failing).reading.renew();
  expect(clusterOf(failing).reading.readers.shards()).toBe(shardCount / 2);
});

it('an instance that stops in order hands over its tickets at once', async () => {
  const [reader, other] = await joinTwo(rareReads);
  const ticket = await openTicketOf(reader);
  // The other one would read a ticket whose lease has ended on a busy machine, and then not again.
  await clusterOf(reader).reading.renew();
  const stream = await watch(other, ticket);
  await untilWanted(ticket.id);
  answer(ticket.id, 'On its way.');
  reader.live.stop();
  void clusterOf(reader).stop();
  await untilShown(stream, 'On its way.');
  await until(() => expect(clusterOf(other).reading.readers.shards()).toBe(shardCount));
});

it('a new instance gets its share when the others renew theirs, and every shard keeps a holder', async () => {
  await joinTwo(rareReads);
  await join(rareReads);
  for (const each of instances) await clusterOf(each).reading.renew();
  const counts = () => instances.map((each) => clusterOf(each).reading.readers.shards());
  await until(() => {
    expect(counts().reduce((sum, count) => sum + count)).toBe(shardCount);
    expect(Math.max(...counts()) - Math.min(...counts())).toBeLessThan(3);
  });
  // Shards without a holder during the handover no longer count after two renewals.
  for (const each of [...instances, ...instances]) await clusterOf(each).reading.renew();
  const shares = instances.map((each) => clusterOf(each).reading.readers.share());
  expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
});

it('while no lease can be renewed, each instance reads for its own viewers', async () => {
  const [reader, other] = await joinTwo(often);
  const ticket = await openTicketOf(reader);
  const stream = await watch(other, ticket);
  await untilWanted(ticket.id);
  const lock = new pg.Client({ connectionString: await databaseOf(dataDir) });
  await lock.connect();
  await lock.query('begin; lock table watch_shards in exclusive mode');
  for (const each of instances) each.clock.offsetMs += leaseMs;
  vi.advanceTimersByTime(1_000);
  const before = await reads(reader);
  answer(ticket.id, 'On its way.');
  await untilShown(stream, 'On its way.');
  expect(await reads(reader)).toBe(before);
  await lock.end();
});
