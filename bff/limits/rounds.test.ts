import { expect, it } from 'vitest';
import { createRounds } from './rounds.ts';

it('what comes while a round is under way is in the next ones, in order, up to the maximum', async () => {
  const rounds: number[][] = [];
  let end = () => {};
  const ask = createRounds<number>((items) => {
    rounds.push(items);
    return new Promise<void>((resolve) => (end = resolve));
  }, 2);
  for (const item of [1, 2, 3, 4]) ask(item);
  expect(rounds).toEqual([[1]]);
  for (const expected of [[2, 3], [4]]) {
    end();
    await Promise.resolve();
    expect(rounds.at(-1)).toEqual(expected);
  }
  end();
  await Promise.resolve();
  ask(5);
  expect(rounds.at(-1)).toEqual([5]);
});
