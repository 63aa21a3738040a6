import { expect, it } from 'vitest';
import { pauseAfter } from './batches.ts';

it.each([
  ['a batch that took no time', 0, 5],
  ['a short batch', 1, 5],
  ['a long batch', 20, 60],
  ['a batch during which the clock jumped', 86_400_000, 1_000],
])('the pause after %s leaves most of the time to requests', (_batch, batchMs, pauseMs) => {
  expect(pauseAfter(batchMs)).toBe(pauseMs);
});
