import { expect, it } from 'vitest';
import type { ThreadRead } from '../tickets/threads.ts';
import { v1Thread } from '../v1/schema.ts';
import { onlyReader } from './readers.ts';
import { newWatch, recordRead } from './watch.ts';
import { createWatchReader } from './watch-reader.ts';

/** A watch without viewers here, while other instances have seen something else. */
function setUp() {
  const state = { term: 1 as number | undefined, isGood: true, now: 0 };
  const found: string[] = [];
  const thread: ThreadRead = {
    thread: v1Thread.parse({ id: 'a' }),
    readAt: 0,
    readElapsed: 0,
    isFresh: true,
    isClosed: false,
    isStored: true,
  };
  const watch = newWatch('a', 0);
  watch.elsewhere = { isOnScreen: true, seen: new Set(['old']) };
  recordRead(watch, thread, 0);
  let duringRead = () => {};
  const reader = createWatchReader({
    threads: {
      refresh: async () => {
        duringRead();
        return state.isGood ? thread : null;
      },
    } as unknown as Parameters<typeof createWatchReader>[0]['threads'],
    publisher: { ticket: async () => new Set() } as unknown as Parameters<
      typeof createWatchReader
    >[0]['publisher'],
    v1: { readsHeldMs: () => 0 },
    readers: {
      ...onlyReader,
      termOf: () => state.term,
      found: (ticketId, digest) => void found.push(`${ticketId} ${digest}`),
    },
    breaker: { report() {} },
    elapsed: () => state.now,
    onForbidden() {},
  });
  return {
    state,
    found,
    watch,
    report: `a ${watch.seen.digest}`,
    read: () => reader.read(watch),
    whileReading: (act: () => void) => (duringRead = act),
  };
}

it.each([
  ['has lost its lease', undefined],
  ['has lost its lease and got another one', 2],
])('a reader that %s during a read reports nothing of it', async (_, next) => {
  const { state, found, read, whileReading } = setUp();
  whileReading(() => void (state.term = next));
  await read();
  expect(found).toEqual([]);
});

it('a new state is reported to the other instances once, and again when they have not confirmed it for five seconds', async () => {
  const { state, found, report, read } = setUp();
  for (state.now of [0, 1_000, 4_999]) await read();
  expect(found).toEqual([report]);
  state.now = 5_000;
  await read();
  expect(found).toEqual([report, report]);
});

it('a state that the other instances have seen is not reported to them', async () => {
  const { found, watch, read } = setUp();
  watch.elsewhere = { isOnScreen: true, seen: new Set([watch.seen.digest]) };
  await read();
  expect(found).toEqual([]);
});

it('of several failed reads in a row, only the first is reported to the other instances', async () => {
  const { state, found, read } = setUp();
  state.isGood = false;
  for (let nth = 0; nth < 3; nth += 1) await read();
  expect(found).toEqual(['a ']);
});
