import { expect, it } from 'vitest';
import { createBreaker } from './breaker.ts';

it('a breaker opens after five failures, probes, and closes at the first success', () => {
  let time = 0;
  const breaker = createBreaker(() => time);
  for (let i = 0; i < 5; i += 1) {
    expect(breaker.allows()).toBe(true);
    breaker.report(false);
  }
  expect(breaker.allows()).toBe(false);
  time = 5_000;
  expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
  breaker.report(true);
  expect(breaker.isOpen).toBe(false);
  expect(breaker.allows()).toBe(true);
});
