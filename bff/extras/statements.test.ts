import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { heartbeatMs } from '../../shared/contract/events.ts';
import { paths } from '../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../testing/bff.ts';
import type { TestBrowser } from '../testing/browser.ts';
import { isOnPostgres } from '../testing/store/test-store.ts';
import { startStreams, until } from '../testing/streams.ts';
import { untilQuiet } from '../testing/time.ts';

let bff: TestBff;
let browser: TestBrowser;
/** Called for each statement, with `other` for the begin and the end of a transaction. */
let ofStore: MockInstance;
/** Called for each statement of a file that returns rows. */
let ofFiles: MockInstance<Database.Statement['all']>;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  ofFiles = vi.spyOn(Object.getPrototypeOf(new Database().prepare('select 1')), 'all');
  bff = await startBff({ watchActiveMs: 600_000, watchIdleMs: 600_000 });
  ofStore = vi.spyOn(bff.metrics.statementDurations, 'observe');
  browser = bff.browser();
  await settled();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await bff.stop();
});

/**
 * Resolves when no statement has run for a while. Every statement is done in one turn of the event loop, so these tests
 * need a store without a network.
 */
function settled(): Promise<void> {
  let seen = -1;
  return untilQuiet(() => {
    const before = seen;
    seen = ofStore.mock.calls.length;
    return seen > before;
  });
}

/** The number of statements that `work` and its consequences run. */
async function statementsOf(work: () => unknown): Promise<{ store: number; limits: number }> {
  for (const each of [ofStore, ofFiles]) each.mockClear();
  await work();
  await settled();
  const limits = (ofFiles.mock.contexts as Database.Statement[]).filter(({ source }) =>
    source.includes('INTO limits'),
  );
  const ofData = ofStore.mock.calls.filter(([{ statement }]) => statement !== 'other');
  return { store: ofData.length, limits: limits.length };
}

/** `messages`: the path of the ticket's replies. */
async function openTicket(): Promise<{ path: string; messages: string }> {
  const { status, data } = await browser.openTicket();
  await settled();
  expect(status).toBe(201);
  return { path: paths.ticket(data.id), messages: paths.messages(data.id) };
}

const read = async (path: string) => expect((await browser.get(path)).status).toBe(200);

describe.skipIf(isOnPostgres)('a write', () => {
  it('takes 13 statements as a first ticket', async () => {
    expect(await statementsOf(openTicket)).toEqual({ store: 10, limits: 3 });
  });

  it('takes 12 statements as a further ticket', async () => {
    await openTicket();
    await openTicket();
    expect(await statementsOf(openTicket)).toEqual({ store: 9, limits: 3 });
  });

  it('takes 6 statements as a reply', async () => {
    const { messages } = await openTicket();
    const reply = async () => expect((await browser.post(messages, { body: 'Hello' })).status).toBe(201);
    await reply();
    await settled();
    expect(await statementsOf(reply)).toEqual({ store: 6, limits: 0 });
  });
});

describe.skipIf(isOnPostgres)('a read', () => {
  it.each([1, 20])('takes 2 statements for a list of %i tickets', async (length) => {
    for (let n = 0; n < length; n += 1) await openTicket();
    await read(paths.tickets);
    expect(await statementsOf(() => read(paths.tickets))).toEqual({ store: 2, limits: 0 });
  });

  it('takes 2 statements for a conversation that was just read at the service', async () => {
    const { path } = await openTicket();
    await read(path);
    expect(await statementsOf(() => read(path))).toEqual({ store: 2, limits: 0 });
  });

  it('takes 5 statements for a conversation that is read at the service', async () => {
    const { path } = await openTicket();
    await read(path);
    bff.clock.offsetMs += 2_000;
    expect(await statementsOf(() => read(path))).toEqual({ store: 5, limits: 0 });
  });

  it('takes 2 statements for the session of a visitor', async () => {
    await openTicket();
    await read(paths.session);
    expect(await statementsOf(() => read(paths.session))).toEqual({ store: 2, limits: 0 });
  });
});

it.skipIf(isOnPostgres)('a stream with a conversation takes 8 statements to open', async () => {
  const { path } = await openTicket();
  await read(path);
  const streams = await startStreams(bff);
  const open = async () => {
    const { seen } = await streams.listen(browser.cookie, path.split('/').at(-1));
    await until(() => expect(seen.length).toBeGreaterThan(0));
  };
  expect(await statementsOf(open)).toEqual({ store: 8, limits: 0 });
});

it.skipIf(isOnPostgres)('a heartbeat of all streams takes one statement', async () => {
  await openTicket();
  const streams = await startStreams(bff);
  const listen = () => streams.listen(browser.cookie);
  const opened = [await listen(), await listen(), await listen()];
  await until(() => expect(opened.every(({ seen }) => seen.length > 0)).toBe(true));
  await settled();
  await bff.lastUse.stop();
  expect(await statementsOf(() => vi.advanceTimersByTime(heartbeatMs))).toEqual({ store: 1, limits: 0 });
});
