import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { type Call, connectionRefused, connectionReset, type Reply } from '../../testing/fake-service.ts';
import { passTime, useFakeTime } from '../../testing/time.ts';

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

let bff: TestBff;
let ada: TestBrowser;
beforeEach(async () => {
  bff = await startBff({ timeoutMs: 300 });
  ada = bff.browser();
  useFakeTime(['setInterval', 'clearInterval']);
  // The worker's watch over the clock began before the timers were faked, so it is restarted.
  await bff.worker.stop();
  await bff.worker.start();
});
afterEach(async () => {
  vi.useRealTimers();
  await bff.stop();
});

const isWrite = ({ method }: Call) => method === 'POST';
const stateOf = async (key: string) => (await ada.get(paths.operation(key))).data?.state;

/** Sends a ticket. `first` answers its first call to the service. All other calls pass. */
async function send(first: () => Reply | Error | undefined) {
  const key = randomUUID();
  bff.service.answer = (call) => {
    if (!isWrite(call)) return undefined;
    bff.service.answer = undefined;
    return first();
  };
  const answered = ada.openTicket({}, key);
  await passTime(300);
  return { key, answered };
}

describe('a waiting send', () => {
  it.each([
    ['ahead', 2 * hourMs],
    ['back', -2 * hourMs],
  ])('is sent within a second of its due time though the clock is set %s two hours', async (_, ms) => {
    const { key, answered } = await send(connectionRefused);
    // It is due a second to a second and a half after its first attempt.
    bff.clock.setAheadMs = ms;
    await passTime(2_500 - 300);
    expect(await stateOf(key)).toBe('done');
    await answered;
  });

  it('is not delayed when the clock is set past its due time [delivery-25]', async () => {
    const { key, answered } = await send(() => ({ statusCode: 429, headers: { 'retry-after': '60' } }));
    bff.clock.setAheadMs = 2 * hourMs;
    await passTime(1_000);
    expect(await stateOf(key)).toBe('done');
    await answered;
  });

  it('is sent at the start though the clock was set back while no process ran', async () => {
    const { key, answered } = await send(connectionRefused);
    await bff.worker.stop();
    bff.clock.setAheadMs = -2 * hourMs;
    await bff.worker.start();
    await passTime(1_000);
    expect(await stateOf(key)).toBe('done');
    await answered;
  });

  it('causes a log line when the clock is set', async () => {
    bff.clock.setAheadMs = -2 * hourMs;
    await passTime(1_000);
    expect(bff.logLines.join('')).toMatch(/"ahead_ms":-7200000,.*the system clock was set/);
  });
});

describe('a send in doubt', () => {
  it.each([
    ['which the service’s clock follows', true],
    ['and the service tells no time', false],
  ])('is not sent again because the clock was set eleven minutes ahead, %s', async (_, tellsTime) => {
    bff.service.tellsTime = tellsTime;
    const { key, answered } = await send(connectionReset);
    bff.clock.setAheadMs = 11 * 60_000;
    await passTime(120_000);
    expect([await stateOf(key), bff.service.writes().length]).toEqual(['unknown', 1]);
    await passTime(500_000);
    expect([await stateOf(key), bff.service.writes().length]).toEqual(['done', 2]);
    await answered;
  });

  it('is sent again after the settle time though the clock was set back [delivery-26]', async () => {
    const { key, answered } = await send(connectionReset);
    bff.clock.setAheadMs = -2 * hourMs;
    await passTime(620_000);
    expect([await stateOf(key), bff.service.writes().length]).toEqual(['done', 2]);
    await answered;
  });

  it('is found though one answer of the service had a date a year ahead', async () => {
    const { data: ticket } = await ada.openTicket();
    vi.spyOn(bff.service, 'now').mockImplementationOnce(() => Date.now() + yearMs);
    await ada.get(paths.ticket(ticket.id));
    bff.service.answer = (call) => {
      if (!isWrite(call)) return undefined;
      bff.service.answer = undefined;
      bff.service.addMessage(ticket.id, 'customer', String(call.body['body']));
      return connectionReset();
    };
    const answered = ada.post(paths.messages(ticket.id), { body: 'Hello?' });
    await passTime(6_000);
    expect((await answered).status).toBe(201);
  });

  it('is found though the service’s clock was a year ahead when it was sent', async () => {
    const { data: ticket } = await ada.openTicket();
    const serviceNow = vi.spyOn(bff.service, 'now').mockImplementation(() => Date.now() + yearMs);
    for (let reads = 0; reads < 2; reads += 1) {
      await passTime(5_000);
      await ada.get(paths.ticket(ticket.id));
    }
    bff.service.answer = (call) => {
      if (!isWrite(call)) return undefined;
      bff.service.answer = undefined;
      serviceNow.mockRestore();
      bff.service.addMessage(ticket.id, 'customer', String(call.body['body']));
      return connectionReset();
    };
    const answered = ada.post(paths.messages(ticket.id), { body: 'Hello?' });
    await passTime(6_000);
    expect((await answered).status).toBe(201);
  });
});

describe('a process that was frozen past its lease', () => {
  /** Sends a ticket, and freezes the process right after it is claimed. */
  async function freezeBeforeSending(setAheadMs: number) {
    const { claim, move } = bff.ledger;
    vi.spyOn(bff.ledger, 'claim').mockImplementationOnce(async (...args) => {
      const claimed = await claim(...args);
      bff.clock.setAheadMs = setAheadMs;
      bff.clock.offsetMs += 60_000;
      return claimed;
    });
    const sentBefore: number[] = [];
    const moves = vi.spyOn(bff.ledger, 'move').mockImplementation((...args) => {
      sentBefore.push(bff.service.writes().length);
      return move(...args);
    });
    const answered = ada.openTicket();
    await passTime(5_250);
    return { firstEvent: moves.mock.calls[0]?.[1], sentBefore: sentBefore[0], answered };
  }

  it.each([
    ['with the clock as it was [delivery-14]', 0],
    ['though the clock was set back [delivery-15]', -hourMs],
  ])('does not send, but waits and sends later %s', async (_, setAheadMs) => {
    const { firstEvent, sentBefore, answered } = await freezeBeforeSending(setAheadMs);
    expect(firstEvent).toEqual({ type: 'failed', failure: { kind: 'not_connected' } });
    expect(sentBefore).toBe(0);
    const { key } = (await answered).data;
    expect([await stateOf(key), bff.service.tickets.size]).toEqual(['done', 1]);
  });
});

it('a process that was frozen past the settle time during a read reads again before it sends [delivery-29]', async () => {
  const { takenIds } = bff.ledger;
  const { key, answered } = await send(connectionReset);
  vi.spyOn(bff.ledger, 'takenIds').mockImplementationOnce(async (...args) => {
    bff.clock.offsetMs += 700_000;
    bff.service.addTicket({ ...bff.service.writes()[0]!.body });
    return takenIds(...args);
  });
  await passTime(60_000);
  expect([await stateOf(key), bff.service.writes().length]).toEqual(['done', 1]);
  await answered;
});

it('every time in the ledger is a whole number of milliseconds', async () => {
  await ada.openTicket();
  const { answered } = await send(connectionReset);
  await passTime(30_000);
  const [first, second] = await bff.store.selectFrom('operations').selectAll().orderBy('seq').execute();
  expect([first!.state, second!.state]).toEqual(['done', 'unknown']);
  for (const row of [first!, second!])
    for (const column of ['created_at', 'started_at', 'started_there', 'due_at', 'finished_at'] as const)
      expect([column, Number.isInteger(row[column] ?? 0)]).toEqual([column, true]);
  expect(second!.started_there).not.toBeNull();
  await answered;
});
