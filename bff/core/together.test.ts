import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { together } from './together.ts';

/** Calls of `run` with what ends them. */
function setUp(options?: Parameters<typeof together>[1]) {
  const calls: { items: string[]; end: (failure?: Error) => void }[] = [];
  const ask = together(
    (items: string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (failure?: Error) =>
          failure ? reject(failure) : resolve(items.map((each) => `${each}!`));
        calls.push({ items, end });
      }),
    options,
  );
  return { calls, ask };
}

it('calls of one turn of the event loop are handed over together, and each gets its own result', async () => {
  const { calls, ask } = setUp();
  const asked = [ask('a'), ask('b')];
  await setImmediate();
  const later = ask('c');
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([['a', 'b'], ['c']]);
  for (const { end } of calls) end();
  expect(await Promise.all([...asked, later])).toEqual(['a!', 'b!', 'c!']);
});

it('calls that were handed over together fail together, and later ones do not', async () => {
  const { calls, ask } = setUp();
  const failing = Promise.allSettled([ask('a'), ask('b')]);
  await setImmediate();
  calls[0]!.end(new Error('away'));
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = ask('c');
  await setImmediate();
  calls[1]!.end();
  expect(await later).toBe('c!');
});

it('one by one, calls wait for those before them, also where these fail', async () => {
  const { calls, ask } = setUp({ atOnce: 1 });
  const first = Promise.allSettled([ask('a')]);
  await setImmediate();
  const later = [ask('b'), ask('c')];
  await setImmediate();
  expect(calls).toHaveLength(1);
  calls[0]!.end(new Error('away'));
  await first;
  await setImmediate();
  expect(calls[1]!.items).toEqual(['b', 'c']);
  calls[1]!.end();
  expect(await Promise.all(later)).toEqual(['b!', 'c!']);
});

it('what has waited for seconds fails with a failure that the next ones would meet too, and not with another one', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { calls, ask } = setUp({ atOnce: 1, isAway: (error) => (error as Error).message === 'away' });
  const asked = [ask('a')];
  await setImmediate();
  asked.push(ask('b'));
  vi.advanceTimersByTime(2_000);
  asked.push(ask('c'));
  const settled = Promise.allSettled(asked);
  calls[0]!.end(new Error('refused'));
  await setImmediate();
  await setImmediate();
  expect(calls[1]!.items).toEqual(['b', 'c']);
  const late = ask('d').catch((error: Error) => error.message);
  vi.advanceTimersByTime(2_000);
  const recent = ask('e');
  calls[1]!.end(new Error('away'));
  expect(await late).toBe('away');
  await setImmediate();
  expect(calls[2]!.items).toEqual(['e']);
  calls[2]!.end();
  expect(await recent).toBe('e!');
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  vi.useRealTimers();
});

it('with several at once, only so many run, and what comes meanwhile shares the next', async () => {
  const { calls, ask } = setUp({ atOnce: 2 });
  const asked: Promise<string>[] = [];
  for (const item of ['a', 'b', 'c', 'd']) {
    asked.push(ask(item));
    await setImmediate();
  }
  expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
  calls[1]!.end();
  await asked[1];
  await setImmediate();
  expect(calls.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd']]);
  for (const { end } of calls) end();
  expect(await Promise.all(asked)).toEqual(['a!', 'b!', 'c!', 'd!']);
});

it('thousands of calls of one turn are handed over in parts, in their order', async () => {
  const { calls, ask } = setUp();
  const items = Array.from({ length: 1_050 }, (_, n) => String(n));
  const asked = Promise.all(items.map(ask));
  while (calls.flatMap((call) => call.items).length < items.length) await setImmediate();
  expect(calls.flatMap((call) => call.items)).toEqual(items);
  expect(Math.max(...calls.map((call) => call.items.length))).toBeLessThan(200);
  for (const { end } of calls) end();
  expect(await asked).toEqual(items.map((item) => `${item}!`));
});
