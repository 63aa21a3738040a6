import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Interest, onlyReader, type Readers } from './readers.ts';
import { watchService } from '../../testing/watched-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tickets = Array.from({ length: 500 }, (_, i) => `ticket ${i}`);

describe('five hundred conversations on screen at twenty reads a second', () => {
  it('are each read once a round: no ticket waits longer than the queue is long', async () => {
    const { readsOf, look } = watchService();
    for (const ticketId of tickets) look(ticketId);
    await vi.advanceTimersByTimeAsync(130_000);
    const gaps = tickets.map((ticketId) => {
      const times = readsOf(ticketId);
      return times.slice(1).map((at, i) => at - times[i]!);
    });
    expect(Math.min(...gaps.map(({ length }) => length))).toBeGreaterThanOrEqual(3);
    expect(Math.max(...gaps.flat())).toBeLessThan(30_000);
  });

  it('show a hinted answer within half a second, at any moment of the round', async () => {
    const { watches, told, look, change, elapsed } = watchService();
    for (const ticketId of tickets) look(ticketId);
    await vi.advanceTimersByTimeAsync(60_000);
    for (let i = 0; i < 100; i += 1) {
      const ticketId = tickets[(i * 37) % tickets.length]!;
      const answeredAt = elapsed();
      change(ticketId);
      watches.hint(ticketId);
      await vi.advanceTimersByTimeAsync(500);
      expect(told.findLast((each) => each.ticketId === ticketId)!.at).toBeGreaterThanOrEqual(answeredAt);
    }
  });

  it('cost nothing more once nobody looks', async () => {
    const { watches, reads, look } = watchService();
    const viewers = tickets.map(look);
    await vi.advanceTimersByTimeAsync(10_000);
    for (const viewer of viewers) watches.removeViewer(viewer);
    const before = reads.length;
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads).toHaveLength(before);
  });
});

describe('a ticket that another instance reads', () => {
  const wanted: [string, Interest | null][] = [];
  const elsewhere: Readers = {
    ...onlyReader,
    termOf: () => undefined,
    want: (ticketId, interest) => void wanted.push([ticketId, interest]),
    drop: (ticketId) => void wanted.push([ticketId, null]),
  };
  beforeEach(() => void wanted.splice(0));

  it('is read once for its first viewer, and again when there is something new', async () => {
    const { watches, readsOf, look, change, toldAt } = watchService({}, elsewhere);
    look('a');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readsOf('a')).toHaveLength(1);
    change('a');
    watches.found('a', 'another digest');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readsOf('a')).toHaveLength(2);
    expect(toldAt('a', 1)).toBeDefined();
    watches.found('a', wanted.at(-1)![1]!.seen);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readsOf('a')).toHaveLength(2);
  });

  it('is requested as its viewers need it: on screen, in a badge, or not at all', async () => {
    const { watches, viewerOf, look } = watchService({}, elsewhere);
    const [list, thread] = [viewerOf(null), look('a')];
    watches.add('a', list);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(wanted.at(-1)).toMatchObject(['a', { isOnScreen: true }]);
    watches.removeViewer(thread);
    expect(wanted.at(-1)).toMatchObject(['a', { isOnScreen: false }]);
    watches.removeViewer(list);
    expect(wanted.at(-1)).toEqual(['a', null]);
  });

  it('is read at its interval once this instance becomes its reader', async () => {
    let term: number | undefined;
    const { watches, readsOf, look } = watchService({}, { ...elsewhere, termOf: () => term });
    look('a');
    await vi.advanceTimersByTimeAsync(10_000);
    term = 1;
    watches.reassess();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readsOf('a').length).toBeGreaterThan(4);
    term = undefined;
    watches.reassess();
    const before = readsOf('a').length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(readsOf('a')).toHaveLength(before);
  });
});

it('a viewer who joins after an answer was read receives it with the next read', async () => {
  const { told, look, change } = watchService();
  look('a');
  change('a');
  await vi.advanceTimersByTimeAsync(3_000);
  const late = look('a');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(told.filter(({ viewer }) => viewer === late)).toMatchObject([{ messages: 1 }]);
});
