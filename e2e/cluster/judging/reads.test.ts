import { expect, it } from 'vitest';
import { readsOf } from './reads.ts';

const by = (key: string, ...times: number[]) => times.map((atMs) => ({ atMs, key }));
const stream = { lives: [{ port: 1, fromMs: 0, toMs: 10_000 }] };
const span = { fromMs: 0, untilMs: 10_000, intervalMs: 1_000 };

it('reads are counted by the second, and while their ticket is on screen by its interval', () => {
  const reads = new Map([
    ['shown', by('one', 500, 1_500, 2_500, 3_500, 4_500)],
    ['hidden', by('one', 1, 2, 3, 4, 5)],
  ]);
  expect(readsOf(reads, [{ ticketId: 'shown', stream }], span)).toEqual({
    perSecond: 1,
    perInterval: 0.5,
    byMany: 0,
  });
});

it('the count of reads tells two instances that read one ticket from one instance that reads it twice', () => {
  const reads = new Map([['shown', [...by('one', 100, 200, 1_100), ...by('two', 1_200)]]]);
  expect(readsOf(reads, [{ ticketId: 'shown', stream }], span).byMany).toBe(0.5);
});
