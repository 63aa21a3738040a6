import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTurns, maxUnderWay } from './turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const perSecond = 20;
const ids = (count: number, name = 'ticket') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

const screenMs = 2_000;

/**
 * A queue whose reads take `tookMs`. Returns the reads with their times. `holdMs` makes the service ask for a pause.
 */
function setUp(tookMs = 0) {
  const done: { id: string; at: number }[] = [];
  const start = Date.now();
  let heldUntil = 0;
  const turns = createTurns({
    perSecond: () => perSecond,
    heldMs: () => Math.max(0, heldUntil - Date.now()),
    elapsed: () => Date.now() - start + 0.25,
    async read(id) {
      done.push({ id, at: Date.now() - start });
      if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs));
    },
  });
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
    for (const [i, id] of ids(100, 'hinted').entries()) setTimeout(() => turns.askNow(id, 'hint'), i * 17);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done).toHaveLength(200);
    for (const { at } of done)
      expect(done.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(
        perSecond,
      );
  });

  it('reads a ticket with a hint at the next turn though five hundred wait, and once [live-13]', async () => {
    const { turns, done } = setUp();
    for (const id of ids(500)) turns.ask(id, screenMs);
    await vi.advanceTimersByTimeAsync(5_000);
    turns.askNow('ticket 499', 'hint');
    await vi.advanceTimersByTimeAsync(60_000);
    const reads = done.filter(({ id }) => id === 'ticket 499');
    expect(reads).toHaveLength(1);
    expect(reads[0]!.at).toBeLessThanOrEqual(5_000 + 1_000 / perSecond + 1);
  });

  it('leaves every fourth turn to others when hints never end [live-11]', async () => {
    const { turns, read } = setUp();
    for (const id of ids(50)) turns.ask(id, screenMs);
    for (const id of ids(1_000, 'hinted')) turns.askNow(id, 'hint');
    await vi.advanceTimersByTimeAsync(10_000);
    const screen = read().filter((id) => id.startsWith('ticket'));
    expect(screen).toEqual(ids(screen.length));
    expect(screen.length / read().length).toBeCloseTo(1 / 4, 1);
  });

  it('leaves a quarter of the turns to others when the list shows changes without end', async () => {
    const { turns, read } = setUp();
    for (const id of ids(50)) turns.ask(id, screenMs);
    for (const id of ids(1_000, 'moved')) turns.askNow(id, 'moved');
    await vi.advanceTimersByTimeAsync(10_000);
    const screen = read().filter((id) => id.startsWith('ticket'));
    expect(screen.length / read().length).toBeCloseTo(1 / 4, 1);
  });

  it('reads the list before all else', async () => {
    const { turns, read } = setUp();
    for (const id of ids(50, 'moved')) turns.askNow(id, 'moved');
    for (const id of ids(50, 'hinted')) turns.askNow(id, 'hint');
    const begun = read().length;
    turns.askNow('list', 'list');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(read()[begun]).toBe('list');
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
    turns.askNow('hinted', 'hint');
    await vi.advanceTimersByTimeAsync(29_900);
    expect(done).toEqual([]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(done).toHaveLength(11);
  });

  it('keeps the urgency of a ticket when it is asked for again with less urgency', async () => {
    const { turns, read } = setUp();
    for (const id of ids(20)) turns.ask(id, screenMs);
    turns.askNow('urgent', 'hint');
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
