import { expect, it } from 'vitest';
import { createReadership } from './readership.ts';
import { onlyReader } from '../readers.ts';
import { newWatch } from './watch-state.ts';

/** A watch that was read, while other instances have seen something else. */
function setUp() {
  const found: string[] = [];
  let term: number | undefined = 1;
  const readers = {
    ...onlyReader,
    termOf: () => term,
    found: (ticketId: string, digest: string) => void found.push(`${ticketId} ${digest}`),
  };
  const { beginRead } = createReadership(readers, { known: () => undefined });
  const watch = newWatch(0);
  watch.elsewhere = { isOnScreen: true, seen: new Set(['old']) };
  watch.seen = { digest: 'new', answers: 1, isAwaited: false };
  const read = (isGood: boolean, now: number) => beginRead('a', watch)(isGood, now);
  return { found, watch, beginRead, read, setTerm: (next: number | undefined) => (term = next) };
}

it.each([
  ['has lost its lease', undefined],
  ['has lost its lease and got another one', 2],
])('a reader that %s during a read reports nothing of it', (_, next) => {
  const { found, watch, beginRead, setTerm } = setUp();
  const endRead = beginRead('a', watch);
  setTerm(next);
  endRead(true, 0);
  expect(found).toEqual([]);
});

it('a new state is reported to the other instances once, and again when they have not confirmed it for five seconds', () => {
  const { found, read } = setUp();
  for (const now of [0, 1_000, 4_999]) read(true, now);
  expect(found).toEqual(['a new']);
  read(true, 5_000);
  expect(found).toEqual(['a new', 'a new']);
});

it('a state that the other instances have seen is not reported to them', () => {
  const { found, watch, read } = setUp();
  watch.elsewhere = { isOnScreen: true, seen: new Set(['new']) };
  read(true, 0);
  expect(found).toEqual([]);
});

it('of several failed reads in a row, only the first is reported to the other instances', () => {
  const { found, watch, read } = setUp();
  for (const failures of [1, 2, 3]) {
    watch.failures = failures;
    read(false, failures);
  }
  expect(found).toEqual(['a ']);
});
