import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

/** How many of the next `count` turns each ticket gets, when all ask again after their turn. */
function turnsOf(queue: ReturnType<typeof createFairQueue>, every: Map<string, number>, count: number) {
  const served = new Map<string, number>();
  for (let i = 0; i < count; i += 1) {
    const id = queue.take()!;
    served.set(id, (served.get(id) ?? 0) + 1);
    queue.ask(id, every.get(id)!);
  }
  return served;
}

const fill = (intervals: Record<string, number>) => {
  const queue = createFairQueue();
  const every = new Map(Object.entries(intervals));
  for (const [id, everyMs] of every) queue.ask(id, everyMs);
  return { queue, every };
};

describe('the fair queue', () => {
  it('gives turns in inverse proportion to the intervals', () => {
    const { queue, every } = fill({ a: 2, b: 2, c: 4, d: 8, e: 16 });
    // Of 23 turns in 16 units, a and b get eight each.
    const served = turnsOf(queue, every, 230);
    expect(Object.fromEntries(served)).toEqual({ a: 80, b: 80, c: 40, d: 20, e: 10 });
  });

  it('serves equals in the order in which they asked', () => {
    const { queue } = fill({ a: 2, b: 2, c: 2 });
    expect([queue.take(), queue.take(), queue.take(), queue.take()]).toEqual(['a', 'b', 'c', undefined]);
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
    queue.ask('new', 2);
    every.set('new', 2);
    expect(turnsOf(queue, every, 300).get('new')).toBeCloseTo(100, -1);
  });

  it('moves a ticket forward when it asks again with a shorter interval, and not back with a longer one', () => {
    const { queue } = fill({ a: 10, b: 10 });
    queue.ask('b', 2);
    queue.ask('b', 50);
    expect([queue.take(), queue.take(), queue.take()]).toEqual(['b', 'a', undefined]);
  });

  it('keeps nothing of removed tickets, however many come and go behind one that stays', () => {
    const { queue } = fill({ a: 1 });
    for (let i = 0; i < 1_000; i += 1) {
      queue.ask(`t${i}`, 100);
      if (i % 2) queue.forget(`t${i}`);
      else queue.remove(`t${i}`);
    }
    expect(queue.size).toBe(1);
    expect([queue.take(), queue.take()]).toEqual(['a', undefined]);
  });
});
