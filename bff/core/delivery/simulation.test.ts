import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../store/open.ts';
import { createSeal } from '../store/seal.ts';
import { breaches, unfinished } from '../../testing/simulation/judge.ts';
import { settleMs } from '../../testing/simulation/instance.ts';
import { faultySchedule, mildSchedule, type Schedule } from '../../testing/simulation/schedule.ts';
import { createWorld, type Evidence, fillStore } from '../../testing/simulation/world.ts';
import { followBranches } from '../../testing/simulation/branches.ts';
import { coreSchema } from '../store/migrations.ts';

const runs = Number(process.env['SIMULATION_RUNS'] ?? 100);
const isLong = runs >= 2_000;
const followed = /core\/(delivery\/(worker|ledger|send|settle|machine|due|waiting|record)|v1\/breaker)\.ts$/;
/** A failing case is shortened as far as possible, which takes as many runs again. */
const timeoutMs = 60_000 + runs * 1_000;
/** Long enough for a freeze, a send in doubt after it, and another send that waited for it. */
const healMs = 6 * settleMs;

const seal = createSeal('a secret of more than thirty-two characters');
let store: Store;
let branches: Awaited<ReturnType<typeof followBranches>> | undefined;
beforeAll(async () => {
  if (isLong) branches = await followBranches((url) => followed.test(url));
  store = await openStore('memory', coreSchema);
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => store.destroy());

/** `isDecided`: in the end, the customers decide on their undecided sends. */
async function simulate(schedule: Schedule, isDecided: boolean): Promise<Evidence> {
  const world = await createWorld({ store, seal }, schedule.hasFooter, (globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  });
  await world.run(schedule);
  await world.heal(healMs);
  if (isDecided) {
    await world.sendAllAgain();
    await world.heal(healMs);
  }
  return world.end();
}

it(
  'whatever fails, nothing is sent twice, out of order or to another ticket, and no final state changes [delivery-30]',
  () =>
    fc.assert(
      fc.asyncProperty(faultySchedule, async (schedule) => {
        expect(breaches(await simulate(schedule, true))).toEqual([]);
      }),
      { numRuns: runs },
    ),
  timeoutMs,
);

it(
  'after at most three faults, every send ends by itself, and each one reported as sent exists once at the service [delivery-31]',
  () =>
    fc.assert(
      fc.asyncProperty(mildSchedule, async (schedule) => {
        const evidence = await simulate(schedule, false);
        expect([...breaches(evidence), ...unfinished(evidence)]).toEqual([]);
      }),
      { numRuns: runs },
    ),
  timeoutMs,
);

// The last, since its store stays full.
it.runIf(isLong)(
  'both hold in a store with 100,000 sends of others',
  async () => {
    await fillStore(store, 100_000);
    const property = fc.asyncProperty(faultySchedule, async (schedule) => {
      expect(breaches(await simulate(schedule, true))).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs / 100 });
  },
  timeoutMs,
);

it.runIf(isLong)('every branch of the code was reached', async () => {
  expect(await branches!.unreached()).toEqual([]);
});
