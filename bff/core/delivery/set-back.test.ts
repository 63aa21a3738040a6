import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { passTime, useFakeTime } from '../../testing/time.ts';
import { createSender } from './send.ts';

const settleMs = 600_000;
const hourMs = 3_600_000;

let bff: TestBff;
let ada: TestBrowser;
async function start(settings: Parameters<typeof startBff>[0] = {}) {
  bff = await startBff({ settleMs, ...settings });
  ada = bff.browser();
  await ada.openTicket({ description: 'A first ticket.' });
}
beforeEach(async () => {
  useFakeTime();
  await start();
});
afterEach(async () => {
  vi.useRealTimers();
  await bff.stop();
});

const writes = () => bff.service.writes().length;
const stateOf = async (key: string) => (await ada.get(paths.operation(key))).data;

/** Records a send while nothing is sent. */
async function recordOnly(send: (key: string) => Promise<unknown>): Promise<string> {
  await bff.worker.stop();
  const key = randomUUID();
  await send(key);
  return key;
}
const newTicket = () => recordOnly((key) => ada.openTicket({ description: 'It is chipped.' }, key));

async function restart(awayMs: number): Promise<void> {
  await bff.worker.stop();
  await bff.lastUse.stop();
  bff.clock.offsetMs += awayMs;
  await bff.lastUse.start();
  await bff.worker.start();
}

/** Sends what waits, and sets the store back to before. */
async function sendAndSetBack(): Promise<void> {
  const tables = ['operations', 'grants', 'tickets'] as const;
  const copy = await Promise.all(tables.map((table) => bff.store.selectFrom(table).selectAll().execute()));
  await bff.worker.start();
  await passTime(1_000);
  await bff.worker.stop();
  for (const table of tables) await bff.store.deleteFrom(table).execute();
  for (const [nth, table] of [...tables.entries()].toReversed())
    await bff.store
      .insertInto(table)
      .values(copy[nth] as never)
      .execute();
  await restart(hourMs);
}

/** The state of the send soon after the start, and how many texts the service has got long after it. */
async function resultOf(key: string): Promise<[state: string, texts: number]> {
  await passTime(5_000);
  const { state } = await stateOf(key);
  await passTime(2 * settleMs);
  return [state, writes()];
}

describe('in a store that was set back', () => {
  it('a ticket that was sent is found, and not sent again', async () => {
    const key = await newTicket();
    await sendAndSetBack();
    expect(await resultOf(key)).toEqual(['done', 2]);
  });

  it('a ticket that was sent without a ref is found by its text, and not sent again', async () => {
    await bff.stop();
    await start({ hasFooter: false });
    const key = await newTicket();
    await sendAndSetBack();
    expect(await resultOf(key)).toEqual(['done', 2]);
  });

  it('a reply that was sent is found, and not sent again', async () => {
    const { data: ticket } = await ada.openTicket({ description: 'Another.' });
    const key = await recordOnly((each) => ada.post(paths.messages(ticket.id), { body: 'Hello?' }, each));
    await sendAndSetBack();
    expect(await resultOf(key)).toEqual(['done', 3]);
  });

  it('a reply that waited for its ticket is found, and not sent again', async () => {
    const opening = await newTicket();
    const key = await recordOnly((each) => ada.post(paths.messages(opening), { body: 'And the lid.' }, each));
    await sendAndSetBack();
    expect(await resultOf(key)).toEqual(['done', 3]);
  });

  it('a ticket that was never sent is sent once it is shown absent', async () => {
    const key = await newTicket();
    await restart(hourMs);
    await passTime(settleMs - 60_000);
    expect(writes()).toBe(1);
    await passTime(120_000);
    expect(await stateOf(key)).toMatchObject({ state: 'done' });
    expect(writes()).toBe(2);
  });

  it('a reply to a ticket that the service refuses is refused with it', async () => {
    const opening = await newTicket();
    const key = await recordOnly((each) => ada.post(paths.messages(opening), { body: 'And the lid.' }, each));
    bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 422 } : undefined);
    await restart(hourMs);
    await passTime(3 * settleMs);
    expect(await stateOf(opening)).toMatchObject({ state: 'rejected' });
    expect(await stateOf(key)).toMatchObject({ state: 'rejected' });
  });

  it('the look for a reply whose ticket does not exist yet asks nothing, and says nothing of the service', async () => {
    const opening = await newTicket();
    const key = await recordOnly((each) => ada.post(paths.messages(opening), { body: 'And the lid.' }, each));
    const row = bff.store.selectFrom('operations').selectAll().where('key', '=', key);
    const calls = bff.service.calls.length;
    const step = await createSender({ ...bff, hasFooter: true }).settle(await row.executeTakeFirstOrThrow());
    expect(step?.isAnswered).toBe(null);
    expect(bff.service.calls).toHaveLength(calls);
  });

  it('a ticket waits for its customer if newer ones may hide it', async () => {
    const key = await newTicket();
    await restart(hourMs);
    for (let n = 0; n < 50; n += 1) bff.service.addTicket({ subject: `Ticket ${n}` });
    await passTime(2 * settleMs);
    expect(await stateOf(key)).toMatchObject({ state: 'unknown', can_retry: true });
    expect(writes()).toBe(1);
    bff.clock.offsetMs += 100 * 24 * hourMs;
    await bff.housekeep();
    const row = bff.store.selectFrom('operations').selectAll().where('key', '=', key);
    expect(await row.executeTakeFirst()).toMatchObject({ state: 'rejected', payload_sealed: null });
  });
});

it('in a store that was in use until a moment ago, a ticket is sent at once', async () => {
  const key = await newTicket();
  await restart(30_000);
  await passTime(1_000);
  expect(await stateOf(key)).toMatchObject({ state: 'done' });
  expect(writes()).toBe(2);
});
