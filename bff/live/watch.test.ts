import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ThreadRead } from '../tickets/threads.ts';
import { Subscriber } from './hub.ts';
import { createWatches } from './watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const readsPerSecond = 20;

/** Watches over a service that answers at once; `change` gives a ticket another answer. */
function setUp() {
  const start = Date.now();
  const elapsed = () => Date.now() - start + 0.25;
  const versions = new Map<string, number>();
  const readAt = new Map<string, number[]>();
  const told: { viewer: Subscriber; ticketId: string; version: number; at: number }[] = [];
  const read = (version: number) =>
    ({ thread: { version }, isFresh: true, isClosed: false }) as unknown as ThreadRead;
  const watches = createWatches({
    threads: {
      refresh: async (ticketId: string) => {
        readAt.set(ticketId, [...(readAt.get(ticketId) ?? []), elapsed()]);
        return read(versions.get(ticketId) ?? 0);
      },
    } as unknown as Parameters<typeof createWatches>[0]['threads'],
    publisher: {
      ticket: async (viewers: Subscriber[], ticketId: string, { thread }: ThreadRead) => {
        const { version } = thread as unknown as { version: number };
        for (const viewer of viewers) told.push({ viewer, ticketId, version, at: elapsed() });
        return new Set();
      },
    } as unknown as Parameters<typeof createWatches>[0]['publisher'],
    activeMs: 2_000,
    idleMs: 15_000,
    readsPerSecond,
    elapsed,
    onError: (error) => {
      throw error;
    },
  });
  const viewerOf = (thread: string | null) =>
    new Subscriber(
      { subjectId: 's', sessionId: 's', thread, after: null },
      { write: () => {}, end: () => {} },
    );
  return {
    watches,
    readAt,
    told,
    elapsed,
    viewerOf,
    change: (ticketId: string) => versions.set(ticketId, (versions.get(ticketId) ?? 0) + 1),
    look(ticketId: string): Subscriber {
      const viewer = viewerOf(ticketId);
      watches.add(ticketId, viewer);
      return viewer;
    },
  };
}

const tickets = Array.from({ length: 500 }, (_, i) => `ticket ${i}`);

describe('five hundred conversations on screen at twenty reads a second', () => {
  it('are each read once a round: no ticket waits longer than the queue is long', async () => {
    const { readAt, look } = setUp();
    for (const ticketId of tickets) look(ticketId);
    await vi.advanceTimersByTimeAsync(130_000);
    const gaps = tickets.map((ticketId) => {
      const times = readAt.get(ticketId) ?? [];
      return times.slice(1).map((at, i) => at - times[i]!);
    });
    expect(Math.min(...gaps.map(({ length }) => length))).toBeGreaterThanOrEqual(3);
    expect(Math.max(...gaps.flat())).toBeLessThan(30_000);
  });

  it('bring a hinted answer in half a second, at any moment of the round', async () => {
    const { watches, told, look, change, elapsed } = setUp();
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
    const { watches, readAt, look } = setUp();
    const viewers = tickets.map(look);
    await vi.advanceTimersByTimeAsync(10_000);
    for (const viewer of viewers) watches.removeViewer(viewer);
    const count = () => [...readAt.values()].flat().length;
    const before = count();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(count()).toBe(before);
  });
});

it('a viewer who joins after an answer was read is told of it with the next read', async () => {
  const { told, look, change } = setUp();
  look('a');
  change('a');
  await vi.advanceTimersByTimeAsync(3_000);
  const late = look('a');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(told.filter(({ viewer }) => viewer === late)).toMatchObject([{ version: 1 }]);
});

it('a ticket that waits for the badge goes before other badges when it comes on screen', async () => {
  const { watches, readAt, viewerOf, look, elapsed } = setUp();
  const list = viewerOf(null);
  for (const ticketId of tickets) watches.add(ticketId, list);
  await vi.advanceTimersByTimeAsync(18_000);
  const opened = tickets.find((ticketId) => !readAt.has(ticketId))!;
  const openedAt = elapsed();
  look(opened);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(readAt.get(opened)![0]! - openedAt).toBeLessThan(200);
});
