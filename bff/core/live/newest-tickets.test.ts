import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { v1Thread, v1TicketList } from '../v1/schema.ts';
import { createComparison, listedDigest } from './newest-tickets.ts';
import { onlyReader } from './readers.ts';
import { readsPerSecond, watchService } from '../../testing/watched-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Service = ReturnType<typeof watchService>;
const ids = (count: number) => Array.from({ length: count }, (_, i) => `ticket ${i}`);

/** Shows `count` tickets and lets at most a round of reads pass. */
async function showTickets(service: Service, count: number, mostMs = 30_000): Promise<string[]> {
  const tickets = ids(count);
  for (const id of tickets) service.look(id);
  await vi.advanceTimersByTimeAsync(Math.min(mostMs, 2_500 + (count / (readsPerSecond / 2)) * 1_000));
  return tickets;
}

/** Answers one ticket after the other, and waits `restMs`. Returns how long each answer took to reach its viewer. */
async function answer(service: Service, tickets: string[], everyMs: number, restMs: number) {
  const answered: { id: string; at: number; messages: number }[] = [];
  const count = new Map<string, number>();
  for (const id of tickets) {
    count.set(id, (count.get(id) ?? 0) + 1);
    service.change(id);
    answered.push({ id, at: service.elapsed(), messages: count.get(id)! });
    await vi.advanceTimersByTimeAsync(everyMs);
  }
  await vi.advanceTimersByTimeAsync(restMs);
  return answered.map(({ id, at, messages }) => (service.toldAt(id, messages) ?? Infinity) - at);
}

const at = (share: number, times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(share * times.length) - 1]!;
const mostInASecond = (times: number[]) =>
  Math.max(...times.map((from, i) => times.slice(i).findIndex((to) => to >= from + 1_000)));

describe('the list', () => {
  it('is not read while single reads keep to their intervals', async () => {
    const service = watchService();
    for (const id of ids(40)) {
      service.look(id);
      await vi.advanceTimersByTimeAsync(1_000 / readsPerSecond);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.lists()).toEqual([]);
  });

  it('is read once a second when they do not, within the limit of reads [overload-42]', async () => {
    const service = watchService({ tookMs: 30 });
    await showTickets(service, 60);
    await vi.advanceTimersByTimeAsync(60_000);
    const begun = service.lists().map((read) => read.at);
    const distances = begun.slice(1).map((time, i) => time - begun[i]!);
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(1_000);
    expect(begun.length).toBeGreaterThan(50);
    expect(mostInASecond(service.reads.map((read) => read.at))).toBeLessThanOrEqual(readsPerSecond);
  });

  it('is no longer read when viewers have gone, and is read again when they are back', async () => {
    const service = watchService();
    const viewers = ids(60).map(service.look);
    await vi.advanceTimersByTimeAsync(5_000);
    for (const viewer of viewers.slice(0, 30)) service.watches.removeViewer(viewer);
    await vi.advanceTimersByTimeAsync(2_000);
    const before = service.lists().length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.lists()).toHaveLength(before);
    for (const id of ids(60)) service.look(id);
    // The pause, and half a second in the queue.
    await vi.advanceTimersByTimeAsync(3_000);
    const back = service.lists().length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(service.lists().length - back).toBeGreaterThanOrEqual(9);
    expect(service.lists().length - back).toBeLessThanOrEqual(11);
  });

  it('is not read while the service is away', async () => {
    const service = watchService();
    await showTickets(service, 100);
    service.refuse(() => 0);
    await vi.advanceTimersByTimeAsync(5_000);
    const before = service.lists().length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(service.lists()).toHaveLength(before);
  });

  it('of the one instance that reads it reports changes of tickets that others show, and none of its own tickets', async () => {
    const moved: string[] = [];
    const service = watchService({}, { ...onlyReader, moved: (some) => void moved.push(...some) });
    const tickets = await showTickets(service, 60);
    service.change('elsewhere');
    service.change(tickets[7]!);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(moved).toEqual(['elsewhere']);
  });

  it('lets a ticket be read at once that only viewers of other instances look at', async () => {
    const service = watchService();
    await showTickets(service, 200);
    service.change('theirs');
    service.watches.setElsewhere('theirs', { isOnScreen: true, seen: new Set() });
    await vi.advanceTimersByTimeAsync(20_000);
    for (let n = 0; n < 5; n += 1) {
      const changedAt = service.elapsed();
      service.change('theirs');
      await vi.advanceTimersByTimeAsync(2_500);
      expect(service.readsOf('theirs').filter((time) => time > changedAt)).not.toEqual([]);
    }
  });

  it('is not read by an instance while another one reads it', async () => {
    const service = watchService({}, { ...onlyReader, isLister: () => false });
    await showTickets(service, 60);
    expect(service.lists()).toEqual([]);
  });

  it('brings an answer to one of two thousand tickets in less than four seconds [live-18]', async () => {
    const service = watchService({ tookMs: 40 });
    const tickets = await showTickets(service, 2_000, 10_000);
    const answered = Array.from({ length: 100 }, (_, i) => tickets[(i * 37) % tickets.length]!);
    const took = await answer(service, answered, 200, 5_000);
    expect(at(0.95, took)).toBeLessThan(2_000);
    expect(Math.max(...took)).toBeLessThan(4_000);
  });
});

describe('every change reaches the screen [live-20]', () => {
  const services: [string, Partial<Parameters<typeof watchService>[0]>][] = [
    ['lists by the last change', {}],
    ['lists by creation', { order: 'creation' }],
    ['never moves updated_at', { isDated: false }],
    ['never moves updated_at and lists by creation', { isDated: false, order: 'creation' }],
    ['is slow', { tookMs: 700 }],
  ];

  it.each(services)('with a service that %s, within a round of single reads', async (_, behaviour) => {
    const service = watchService(behaviour);
    const tickets = await showTickets(service, 200);
    const answered = Array.from({ length: 80 }, (__, i) => tickets[(i * i * 7 + i) % tickets.length]!);
    const took = await answer(service, answered, 300, 40_000);
    // 200 tickets at 19 turns a second take 11 s. Those that the list shows take turns of the others.
    expect(Math.max(...took)).toBeLessThan(15_000);
  });

  it('after the time that a 429 names, and not before', async () => {
    const service = watchService({ tookMs: 20 });
    const tickets = await showTickets(service, 200);
    const refused: number[] = [];
    service.refuse(() => {
      if (service.reads.length % 40 !== 0) return undefined;
      refused.push(service.elapsed());
      return 3_000;
    });
    const took = await answer(service, tickets.slice(0, 60), 400, 40_000);
    expect(refused.length).toBeGreaterThan(5);
    for (const from of refused) {
      // Reads in progress when the refusal came are allowed to end.
      const early = service.reads.filter((read) => read.at > from + 20 && read.at < from + 3_000);
      expect(early).toEqual([]);
    }
    expect(at(0.95, took)).toBeLessThan(6_000);
    expect(Math.max(...took)).toBeLessThan(40_000);
  });
});

it('many viewers of the same tickets cost no more reads than one viewer of each', async () => {
  const [one, many] = [watchService(), watchService()];
  for (const id of ids(100)) {
    one.look(id);
    for (let i = 0; i < 20; i += 1) many.look(id);
  }
  await vi.advanceTimersByTimeAsync(30_000);
  expect(Math.abs(many.reads.length - one.reads.length)).toBeLessThan(10);
});

describe('two lists that are compared', () => {
  type Fields = { id: string; [field: string]: unknown };
  const [a, b] = [{ id: 'a' }, { id: 'b' }];
  const later = { id: 'a', updated_at: '2026-01-01T00:00:01Z' };

  function setUp() {
    const compare = createComparison();
    const seen = new Map<string, string>();
    const read = (fields: Fields) => void seen.set(fields.id, listedDigest(v1Thread.parse(fields)));
    const list = (...entries: Fields[]) => compare(v1TicketList.parse(entries).entries, (id) => seen.get(id));
    return { read, list };
  }

  it('of which the first one has nothing before it show only watched tickets that it tells something unread', () => {
    const { read, list } = setUp();
    read(a);
    read({ id: 'c' });
    expect(list(later, b, { id: 'c' })).toEqual({ watched: ['a'], others: [] });
  });

  it.each<[string, Fields]>([
    ['the time of its change', later],
    ['its status', { id: 'a', status: 'pending' }],
    ['its priority', { id: 'a', priority: 'high' }],
    ['a field that was missing', { id: 'a', subject: 'Lid' }],
  ])('show a change once when %s differs, in any order', (_, changed) => {
    const { read, list } = setUp();
    read(a);
    list(a, b);
    expect(list(b, changed)).toEqual({ watched: ['a'], others: [] });
    expect(list(changed, b)).toEqual({ watched: [], others: [] });
  });

  it('show no change that a read has found', () => {
    const { read, list } = setUp();
    list(a, b);
    read(later);
    expect(list(later, b).watched).toEqual([]);
  });

  it('show a watched ticket that has come into the list, though no field differs', () => {
    const { read, list } = setUp();
    read(a);
    list(b);
    expect(list(a, b).watched).toEqual(['a']);
  });

  it('show a ticket once whose read and whose entry always differ', () => {
    const { read, list } = setUp();
    list(a, b);
    read({ ...a, description: 'Only here' });
    expect(list(a, b).watched).toEqual([]);
    expect(list(later, b).watched).toEqual(['a']);
  });

  it('show changed and new tickets that nobody watches here, of two entries of one the first', () => {
    const { list } = setUp();
    list(a, b);
    expect(list({ id: 'c' }, later, a, b).others).toEqual(['c', 'a']);
  });
});
