import { expect, it, vi } from 'vitest';
import { createOtherReads } from './other-reads.ts';

function setUp(isAllowed = true) {
  const queue = {
    ask: vi.fn<(name: string, everyMs: number) => void>(),
    report: vi.fn<(good: boolean) => void>(),
  };
  return { ...queue, reads: createOtherReads({ ...queue, isAllowed: () => isAllowed }) };
}

it.each([true, false])('a read is made at its turn, and its result is reported: %s', async (isGood) => {
  const { ask, report, reads } = setUp();
  const read = vi.fn<() => Promise<boolean>>().mockResolvedValue(isGood);
  const answer = reads.inTurn('a', 500, read);
  expect(ask).toHaveBeenCalledExactlyOnceWith('a', 500);
  expect([reads.has('a'), reads.has('b'), read.mock.calls.length]).toEqual([true, false, 0]);
  await reads.readNow('a');
  expect([await answer, reads.has('a')]).toEqual([isGood, false]);
  expect(report).toHaveBeenCalledExactlyOnceWith(isGood);
});

it('a read that waits already is not queued again', async () => {
  const { ask, reads } = setUp();
  void reads.inTurn('a', 500, async () => true);
  expect(await reads.inTurn('a', 500, async () => true)).toBe(false);
  expect(ask).toHaveBeenCalledTimes(1);
});

it('a read is not made while the service must not be called', async () => {
  const { report, reads } = setUp(false);
  const read = vi.fn<() => Promise<boolean>>();
  const answer = reads.inTurn('a', 500, read);
  await reads.readNow('a');
  expect([await answer, read.mock.calls.length, report.mock.calls.length]).toEqual([false, 0, 0]);
});

it('reads that wait at the end resolve as not made', async () => {
  const { reads } = setUp();
  const answer = reads.inTurn('a', 500, async () => true);
  reads.stop();
  expect([await answer, reads.has('a')]).toEqual([false, false]);
});
