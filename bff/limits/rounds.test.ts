import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createRounds } from './rounds.ts';

it('what comes in one turn of the event loop is one round, and what comes meanwhile the next, up to the maximum', async () => {
  const rounds: number[][] = [];
  let end = () => {};
  const ask = createRounds<number>((items) => {
    rounds.push(items);
    return new Promise<void>((resolve) => (end = resolve));
  }, 2);
  for (const item of [1, 2]) ask(item);
  await setImmediate();
  expect(rounds).toEqual([[1, 2]]);
  for (const item of [3, 4, 5]) ask(item);
  for (const expected of [[3, 4], [5]]) {
    end();
    await Promise.resolve();
    expect(rounds.at(-1)).toEqual(expected);
  }
  end();
  await Promise.resolve();
  ask(6);
  await setImmediate();
  expect(rounds.at(-1)).toEqual([6]);
});
