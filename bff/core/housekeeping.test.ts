import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../core/clock.ts';
import { paths } from '../../shared/contract/paths.ts';
import type { OperationRow } from '../core/store/schema.ts';
import { startBff, type TestBff } from '../testing/bff.ts';
import type { TestBrowser } from '../testing/browser.ts';
import { claim, identify, signedIn, withIdentity } from '../testing/identity.ts';
import { until } from '../testing/streams.ts';
import { batches, createHousekeeping, pauseAfter } from './housekeeping.ts';

const { elapsed } = systemClock;

const dayMs = 86_400_000;
const days = { rejectedMs: 10 * dayMs, undecidedMs: 20 * dayMs, unvisitedMs: 100 * dayMs };

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ ...withIdentity, retention: days });
});
afterEach(async () => {
  vi.useRealTimers();
  await bff.stop();
});

const advance = (ms: number) => {
  bff.clock.offsetMs += ms;
};

/** Stops all sending. From now on tickets stay accepted. */
const sendNothing = () => bff.worker.stop();

/** Makes a send undecided, as if the service had never answered. */
const leaveUndecided = (key: string) =>
  bff.store
    .updateTable('operations')
    .set({ state: 'unknown', due_at: null, attempts: 1, started_at: bff.now() })
    .where('key', '=', key)
    .execute();

const operation = (key: string): Promise<OperationRow> =>
  bff.store.selectFrom('operations').selectAll().where('key', '=', key).executeTakeFirstOrThrow();

async function countOf(table: 'subjects' | 'sessions' | 'grants' | 'tickets' | 'operations' | 'transfers') {
  return (await bff.store.selectFrom(table).selectAll().execute()).length;
}

describe('the text of a send', () => {
  it('that was refused is erased after its time, and then no longer shown [storage-11]', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    await ada.openTicket();
    bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 400 } : undefined);
    await ada.openTicket({ subject: 'Refused' }, key);
    await sendNothing();
    advance(9 * dayMs);
    await bff.housekeep();
    expect((await operation(key)).payload_sealed).not.toBeNull();
    expect((await ada.get(paths.tickets)).data).toHaveLength(2);
    advance(2 * dayMs);
    await bff.housekeep();
    expect(await operation(key)).toMatchObject({ state: 'rejected', payload_sealed: null });
    expect((await ada.get(paths.tickets)).data).toHaveLength(1);
  });

  it('that was left undecided is erased after its time, and can no longer be sent [storage-12]', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    await sendNothing();
    await ada.openTicket({}, key);
    await leaveUndecided(key);
    advance(19 * dayMs);
    await bff.housekeep();
    expect((await ada.get(paths.operation(key))).data.can_retry).toBe(true);
    advance(2 * dayMs);
    await bff.housekeep();
    expect(await operation(key)).toMatchObject({
      state: 'rejected',
      error: 'not_found',
      payload_sealed: null,
    });
    expect((await ada.request('POST', paths.retry(key), {})).status).toBe(409);
    expect((await ada.get(paths.tickets)).data).toEqual([]);
  });

  it('that is still to be delivered stays, however old it is, and so does its sender [storage-13]', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    await sendNothing();
    await ada.openTicket({}, key);
    advance(1_000 * dayMs);
    await bff.housekeep();
    expect(await operation(key)).toMatchObject({ state: 'accepted' });
    expect((await operation(key)).payload_sealed).not.toBeNull();
  });

  it('that waited for an undecided ticket is refused with it', async () => {
    const ada = bff.browser();
    const [key, reply] = [randomUUID(), randomUUID()];
    await sendNothing();
    await ada.openTicket({}, key);
    await ada.post(paths.messages(key), { body: 'And one more thing' }, reply);
    await leaveUndecided(key);
    advance(21 * dayMs);
    await bff.housekeep();
    await bff.worker.start();
    await expect.poll(async () => (await operation(reply)).state).toBe('rejected');
    expect(bff.service.writes()).toEqual([]);
  });
});

describe('with a clock that is set 400 days ahead, nothing is removed', () => {
  afterEach(() => {
    bff.clock.setAheadMs = 0;
  });

  it.each([
    ['if the ticket service’s clock is known', async () => {}],
    ['if only the last use of the store is known', sendNothing],
  ])('%s', async (_, prepare) => {
    await prepare();
    await bff.browser().openTicket();
    bff.clock.setAheadMs = 400 * dayMs;
    await bff.housekeep();
    expect(await Promise.all([countOf('subjects'), countOf('sessions')])).toEqual([1, 1]);
    expect(bff.logLines.join()).toContain('"retention_waits"');
  });
});

it('of many customers who stay away, one day removes a few, and says so', async () => {
  const ids = Array.from({ length: 30 }, (_, n) => String(n));
  const at = { created_at: bff.now() };
  await bff.store
    .insertInto('subjects')
    .values(ids.map((id) => ({ id, verified: 0, ...at })))
    .execute();
  await bff.store
    .insertInto('tickets')
    .values(ids.map((id) => ({ id, facts_sealed: '', agent_count: 0, closed: 0, read_at: 0 })))
    .execute();
  await bff.store
    .insertInto('grants')
    .values(ids.map((id) => ({ subject_id: id, ticket_id: id, ...at })))
    .execute();
  advance(200 * dayMs);
  await bff.housekeep();
  expect(await countOf('subjects')).toBe(10);
  expect(bff.logLines.join()).toMatch(/"removed":{[^}]*"subjects":20/);
  expect(bff.logLines.join()).toContain('"retention_stopped"');
  const onError = (error: unknown) => expect.fail(String(error));
  await createHousekeeping({ ...bff, ...days, serviceNow: bff.now, onError }).housekeep();
  expect(await countOf('subjects'), 'after a start on the same day').toBe(10);
  advance(dayMs);
  await bff.housekeep();
  expect(await countOf('subjects')).toBe(0);
});

describe('a customer who has not come for the set time', () => {
  it('is removed with all their data [storage-14]', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    await sendNothing();
    advance(99 * dayMs);
    await bff.housekeep();
    expect(await Promise.all([countOf('subjects'), countOf('tickets')])).toEqual([1, 1]);
    advance(2 * dayMs);
    await bff.housekeep();
    for (const table of ['subjects', 'sessions', 'grants', 'tickets', 'operations'] as const)
      expect([table, await countOf(table)]).toEqual([table, 0]);
  });

  it('is kept when they came meanwhile', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    await sendNothing();
    for (let visit = 0; visit < 3; visit += 1) {
      advance(25 * dayMs);
      await ada.get(paths.session);
    }
    advance(99 * dayMs);
    await bff.housekeep();
    expect([await countOf('sessions'), await countOf('subjects'), await countOf('tickets')]).toEqual([
      0, 1, 1,
    ]);
    advance(2 * dayMs);
    await bff.housekeep();
    expect([await countOf('subjects'), await countOf('tickets')]).toEqual([0, 0]);
  });

  it('leaves a shared ticket to its other holders, with the record of whose address it is [storage-15]', async () => {
    const [visitor, owner] = [bff.browser(), bff.browser()];
    const { data } = await visitor.openTicket({ customer_email: 'ada@example.com' });
    await identify(owner, 'ada@example.com');
    await claim(owner);
    // Adds another holder, as after a transfer from a browser that others use.
    const [{ id: visitorId }] = (await bff.store
      .selectFrom('subjects')
      .select('id')
      .where('verified', '=', 0)
      .execute()) as [{ id: string }];
    await bff.store
      .insertInto('grants')
      .values({ subject_id: visitorId, ticket_id: data.id, created_at: bff.now() })
      .execute();
    await sendNothing();
    const ofOwner = bff.store.selectFrom('subjects').select('id').where('verified', '=', 1);
    const { id: ownerId } = await ofOwner.executeTakeFirstOrThrow();
    advance(99 * dayMs);
    await bff.subjects.markVisited(ownerId);
    advance(2 * dayMs);
    await bff.housekeep();
    expect(await countOf('subjects')).toBe(1);
    await bff.ownership.trust(await bff.subjects.find(ownerId));
    expect(await bff.store.selectFrom('grants').select('trusted').execute()).toEqual([{ trusted: 1 }]);
  });
});

it('subjects that never sent anything are removed once nobody can act for them', async () => {
  const browser: TestBrowser = await signedIn(bff, 'ada@example.com');
  await browser.openTicket();
  await signedIn(bff, 'bob@example.com');
  await sendNothing();
  advance(2 * dayMs);
  await bff.housekeep();
  expect([await countOf('sessions'), await countOf('subjects')]).toEqual([0, 1]);
});

describe('housekeeping', () => {
  /** Runs the housekeeping with more refused texts than two batches erase. Returns the size of each batch. */
  async function batchSizes(stop: AbortController | null) {
    await bff.browser().openTicket();
    await sendNothing();
    const ofBatch: number[] = [];
    let left = 2 * batches.rows + 1;
    const eraseRejected = async (limit: number) => {
      const count = Math.min(limit, left);
      left -= count;
      ofBatch.push(count);
      if (ofBatch.length === 2) stop?.abort();
      return count;
    };
    const { housekeep } = createHousekeeping({
      ...bff,
      sends: { ...bff.sends, eraseRejected },
      unvisitedMs: days.unvisitedMs,
      serviceNow: bff.now,
      elapsed,
      onError: (error) => expect.fail(String(error)),
    });
    await housekeep(stop?.signal);
    return ofBatch;
  }

  it('works in batches until nothing is left [overload-40]', async () => {
    expect(await batchSizes(null)).toEqual([batches.rows, batches.rows, 1]);
  });

  it('ends after the batch in which it is told to end', async () => {
    expect(await batchSizes(new AbortController())).toEqual([batches.rows, batches.rows]);
  });

  it('that was started runs at once and after each hour, and never twice at the same time', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const keep = vi.fn<() => Promise<void>>(async () => {});
    const onError = (error: unknown) => expect.fail(String(error));
    const { start, stop } = createHousekeeping({
      ...bff,
      ...days,
      scripts: { keep },
      serviceNow: bff.now,
      onError,
    });
    start();
    vi.advanceTimersByTime(3_600_000);
    expect(keep, 'an hour later, while the first run is in progress').toHaveBeenCalledTimes(1);
    await until(() => {
      vi.advanceTimersByTime(3_600_000);
      expect(keep).toHaveBeenCalledTimes(2);
    });
    await stop();
    vi.advanceTimersByTime(3_600_000);
    expect(keep, 'after the stop').toHaveBeenCalledTimes(2);
  });

  it('erases at most the given number of texts in one batch', async () => {
    for (let n = 0; n < 5; n += 1) await bff.browser().openTicket();
    advance(2 * dayMs);
    await sendNothing();
    expect(await bff.sends.eraseDelivered(2)).toBe(2);
    expect(await bff.sends.eraseDelivered(10)).toBe(3);
  });
});

it.each([
  ['a batch that took no time', 0, 5],
  ['a short batch', 1, 5],
  ['a long batch', 20, 60],
  ['a batch during which the clock jumped', 86_400_000, 1_000],
])('the pause after %s leaves most of the time to requests', (_batch, batchMs, pauseMs) => {
  expect(pauseAfter(batchMs)).toBe(pauseMs);
});
