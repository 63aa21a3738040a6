import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPace, createQueue, createTurns, maxUnderWay } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const readsPerSecond = 20;
const ids = (count: number, name = 'ticket') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

const screenMs = 2_000;

/**
 * A queue whose reads take `tookMs`. Returns the reads with their times. `holdMs` makes the service ask for a pause.
 */
function setUp(tookMs = 0) {
  const done: { id: string; at: number }[] = [];
  const start = Date.now();
  let heldUntil = 0;
  const reader = createTurns({
    perSecond: () => readsPerSecond,
    heldMs: () => Math.max(0, heldUntil - Date.now()),
    elapsed: () => Date.now() - start + 0.25,
    onError(error) {
      throw error;
    },
  });
  async function read(name: string): Promise<void> {
    done.push({ id: name, at: Date.now() - start });
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
  }
  const turns = {
    ask: (name: string, everyMs: number) => reader.ask(name, everyMs, () => read(name)),
    askNow: (name: string) => reader.askNow(name, () => read(name)),
    cancel: reader.cancel,
  };
  const hold = (ms: number) => (heldUntil = Date.now() + ms);
  return { turns, done, hold, read: () => done.map(({ id }) => id) };
}

describe('the queue of reads', () => {
  it('serves tickets in the order of asking, and each once however often it is asked for', async () => {
    const { turns, read } = setUp();
    for (const id of ids(20, 'before')) turns.ask(id, screenMs);
    for (const id of [...ids(50), ...ids(50)]) turns.ask(id, screenMs);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read()).toEqual([...ids(20, 'before'), ...ids(50)]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never begins more reads in a second than allowed [overload-31]', async () => {
    const { turns, done } = setUp();
    for (const id of ids(100)) turns.ask(id, screenMs);
    for (const [i, id] of ids(100, 'hinted').entries()) setTimeout(() => turns.askNow(id), i * 17);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done).toHaveLength(200);
    for (const { at } of done)
      expect(done.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(
        readsPerSecond,
      );
  });

  it('reads a ticket with a hint at the next turn though five hundred wait, and once [live-13]', async () => {
    const { turns, done } = setUp();
    for (const id of ids(500)) turns.ask(id, screenMs);
    await vi.advanceTimersByTimeAsync(5_000);
    turns.askNow('ticket 499');
    await vi.advanceTimersByTimeAsync(60_000);
    const reads = done.filter(({ id }) => id === 'ticket 499');
    expect(reads).toHaveLength(1);
    expect(reads[0]!.at).toBeLessThanOrEqual(5_000 + 1_000 / readsPerSecond + 1);
  });

  it('leaves every fourth turn to others when hints never end [live-11]', async () => {
    const { turns, read } = setUp();
    for (const id of ids(50)) turns.ask(id, screenMs);
    for (const id of ids(1_000, 'hinted')) turns.askNow(id);
    await vi.advanceTimersByTimeAsync(10_000);
    const screen = read().filter((id) => id.startsWith('ticket'));
    expect(screen).toEqual(ids(screen.length));
    expect(screen.length / read().length).toBeCloseTo(1 / 4, 1);
  });

  it('gives badges their share when reads for the screen never end [live-12]', async () => {
    const { turns, read } = setUp();
    for (const id of ids(50, 'badge')) turns.ask(id, 16_000);
    const again = setInterval(() => {
      for (const id of ids(50)) turns.ask(id, screenMs);
    }, 50);
    await vi.advanceTimersByTimeAsync(60_000);
    clearInterval(again);
    const badges = read().filter((id) => id.startsWith('badge'));
    // Tickets on screen have eight turns each when the first badge has one: 50 of 450 turns.
    expect(badges).toEqual(ids(50, 'badge'));
  });

  it('begins no read while the service must not be called, and all waiting reads afterwards', async () => {
    const { turns, done, hold } = setUp();
    hold(30_000);
    for (const id of ids(10)) turns.ask(id, screenMs);
    turns.askNow('hinted');
    await vi.advanceTimersByTimeAsync(29_900);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(done).toHaveLength(11);
  });

  it('keeps the urgency of a ticket when it is asked for again with less urgency', async () => {
    const { turns, read } = setUp();
    for (const id of ids(20)) turns.ask(id, screenMs);
    turns.askNow('urgent');
    turns.ask('urgent', screenMs);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(read().indexOf('urgent')).toBeLessThan(10);
    expect(read().filter((id) => id === 'urgent')).toHaveLength(1);
  });

  it('has few reads in progress when the service hangs, and continues when they end', async () => {
    const { turns, read } = setUp(10_000);
    for (const id of ids(40)) turns.ask(id, screenMs);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(read()).toHaveLength(maxUnderWay);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read()).toHaveLength(40);
  });

  it('reads nothing that was removed', async () => {
    const { turns, read } = setUp();
    for (const id of ids(40)) turns.ask(id, screenMs);
    const begun = read().length;
    for (const id of ids(40)) turns.cancel(id);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(read()).toHaveLength(begun);
  });
});

describe('the turns of a pace', () => {
  /** Takes every available turn until `untilMs`, with a delay of `stallMs` after each. */
  function takeAll(perSecond: number, untilMs: number, stallMs: (turn: number) => number = () => 0) {
    let time = 0;
    const pace = createPace(
      () => perSecond,
      () => time,
    );
    const times: number[] = [];
    while (time < untilMs) {
      time += pace.waitMs();
      times.push(time);
      pace.take();
      time += stallMs(times.length);
    }
    return times;
  }
  const mostInASecond = (times: number[]) =>
    Math.max(...times.map((start) => times.filter((at) => at >= start && at < start + 1_000).length));

  it.each([1, 3, 20, 1_000])(
    'are never more than %i in any second, also after delays [live-10]',
    (perSecond) => {
      expect(mostInASecond(takeAll(perSecond, 5_000))).toBeLessThanOrEqual(perSecond);
      const heldUp = takeAll(perSecond, 5_000, (turn) => (turn % 7 === 0 ? 180 : 0));
      expect(mostInASecond(heldUp)).toBeLessThanOrEqual(perSecond);
    },
  );

  it('make up for the milliseconds by which each is late', () => {
    const times = takeAll(20, 60_000, () => 12);
    expect(times.length).toBeGreaterThan(20 * 59);
  });

  it('come at even intervals once the start is over', () => {
    const times = takeAll(20, 10_000).slice(40);
    const distances = times.slice(1).map((at, i) => Math.round(at - times[i]!));
    expect(new Set(distances)).toEqual(new Set([50]));
  });

  it('are available at once after a pause', () => {
    let time = 0;
    const pace = createPace(
      () => 20,
      () => time,
    );
    for (let i = 0; i < 5; i += 1) pace.take();
    time = 60_000;
    expect(pace.waitMs()).toBe(0);
  });

  it('become fewer at once when other instances share them, and more when these are gone', () => {
    let [time, perSecond] = [0, 20];
    const pace = createPace(
      () => perSecond,
      () => time,
    );
    const times: number[] = [];
    for (; time < 30_000; pace.take()) {
      time += pace.waitMs();
      times.push(time);
      perSecond = time < 10_000 || time >= 20_000 ? 20 : 5;
    }
    const inSecond = (second: number) => times.filter((at) => Math.floor(at / 1_000) === second).length;
    expect([5, 15, 25].map(inSecond)).toEqual([20, 5, 20]);
  });
});

const noRead = async () => {};

/** How many of the next `count` turns each ticket gets, when all ask again after their turn. */
function turnsOf(queue: ReturnType<typeof createQueue>, every: Map<string, number>, count: number) {
  const served = new Map<string, number>();
  for (let i = 0; i < count; i += 1) {
    const id = queue.take()!.name;
    served.set(id, (served.get(id) ?? 0) + 1);
    queue.ask(id, every.get(id)!, noRead);
  }
  return served;
}

const fill = (intervals: Record<string, number>) => {
  const queue = createQueue();
  const every = new Map(Object.entries(intervals));
  for (const [id, everyMs] of every) queue.ask(id, everyMs, noRead);
  return { queue, every };
};

describe('the rest of the queue', () => {
  it('gives turns in inverse proportion to the intervals', () => {
    const { queue, every } = fill({ a: 2, b: 2, c: 4, d: 8, e: 16 });
    // Of 23 turns in 16 units, a and b get eight each.
    const served = turnsOf(queue, every, 230);
    expect(Object.fromEntries(served)).toEqual({ a: 80, b: 80, c: 40, d: 20, e: 10 });
  });

  it('serves equals in the order in which they asked', () => {
    const { queue } = fill({ a: 2, b: 2, c: 2 });
    expect([1, 2, 3, 4].map(() => queue.take()?.name)).toEqual(['a', 'b', 'c', undefined]);
  });

  it("lets no ticket wait longer than the other tickets' turns within its own interval take", () => {
    let seed = 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let run = 0; run < 50; run += 1) {
      const { queue, every } = fill(
        Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`t${i}`, Math.ceil(random() * 100)])),
      );
      const slowest = Math.max(...every.values());
      // In one interval of the slowest ticket, every other ticket gets so many turns, and one that was due before.
      const most = [...every.values()].reduce((sum, everyMs) => sum + Math.ceil(slowest / everyMs) + 1, 0);
      expect(turnsOf(queue, every, most).size).toBe(40);
    }
  });

  it('gives a new ticket its fair share from now on, without credit for the past', () => {
    const { queue, every } = fill({ a: 2, b: 2 });
    turnsOf(queue, every, 1_000);
    queue.ask('new', 2, noRead);
    every.set('new', 2);
    expect(turnsOf(queue, every, 300).get('new')).toBeCloseTo(100, -1);
  });
});
