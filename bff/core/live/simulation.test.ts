import { isLong, runs, timeoutMs, unreached } from '../../testing/simulation/branches.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { liveSchedule, simulateLive } from '../../testing/simulation/live.ts';
import { addOtherTickets } from '../../testing/simulation/people.ts';
import { openForTests } from '../../testing/simulation/store.ts';
import { coreSchema } from '../store/migrations.ts';

const { store, seal } = await openForTests(coreSchema);

it(
  'whatever fails, an answer reaches each open page of its holders, and nobody else',
  () =>
    fc.assert(
      fc.asyncProperty(liveSchedule, async (schedule) => {
        expect(await simulateLive(schedule, { store, seal })).toEqual([]);
      }),
      { numRuns: runs },
    ),
  timeoutMs,
);

// The last, since its store stays full.
it.runIf(isLong)(
  'that holds in a store with 100,000 tickets of others',
  async () => {
    await addOtherTickets(store.store, 100_000);
    const property = fc.asyncProperty(liveSchedule, async (schedule) => {
      expect(await simulateLive(schedule, { store, seal })).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs / 100 });
  },
  timeoutMs,
);

const files = [
  'fan-out.ts',
  'live.ts',
  'newest-tickets.ts',
  'publish.ts',
  'stream-event.ts',
  'stream-writer.ts',
  'turns.ts',
  'viewers.ts',
  'watch.ts',
  'watch-reader.ts',
  'watches.ts',
];

/** What the simulation leaves out, and the tests that have it. */
const leftOut = [
  // Several instances: `bff/extras/cluster/`, and `npm run cluster`.
  /^watch(-reader|es)?\.ts: .*(known|[cC]ached|suspend|isFirst|elsewhere|digest|hasNewViewer|hasReader|found|viewers\.size === 0|reassess)/,
  /^newest-tickets\.ts: (others\.push|readers\.moved)|^live\.ts: await part\.onLiveChange/,
  // More than 250 pages, and events of more than 64 kB or 16 MiB: `fan-out.test.ts`, `stream-writer.test.ts`.
  /^viewers\.ts: await setImmediate|^stream-writer\.ts: .*(first\.subarray\(free\)|maxUnsentBytes)/,
  // A session that ends while its stream begins, and more than ten tickets: `live.test.ts`.
  /^publish\.ts: return \[\]; in if \(!await isLive|^live\.ts: \|\| id === viewer\.thread/,
  // Reads that no page needs: `bff/extras/mails/simulation.test.ts`.
  /^watches\.ts: (inTurn|leave\(\))|^turns\.ts: \(name\) => waiting\.has/,
  // Facts that cannot be opened, a list that has a ticket twice, and an event that cannot be made.
  /^fan-out\.ts: : \[sessionEvent\]|^newest-tickets\.ts: continue|^viewers\.ts: catch \(error\)/,
  // What nothing calls in that state.
  /^turns\.ts: ((; )?return undefined|return; in if \(waiting\.has)|^viewers\.ts: \?\? nothingSent|^watches\.ts: return; in if \(!watch/,
  // What is counted.
  /^live\.ts: \(\) => \(\{ streams|^watches\.ts: (\(\) => breaker\.isOpen|get size)/,
];

it.runIf(isLong)('every other branch of live updates was reached', async () => {
  const all = await unreached('core/live', files);
  expect(all.filter((branch) => !leftOut.some((pattern) => pattern.test(branch)))).toEqual([]);
});
