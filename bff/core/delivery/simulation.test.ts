import { isLong, runs, timeoutMs, unreached } from '../../testing/simulation/branches.ts';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openStore, type Store } from '../store/open.ts';
import { createSeal } from '../store/seal.ts';
import { breaches, unfinished } from '../../testing/simulation/judge.ts';
import { settleMs } from '../../testing/simulation/instance.ts';
import { faultySchedule, mildSchedule, type Schedule } from '../../testing/simulation/schedule.ts';
import { createWorld, type Evidence, fillStore } from '../../testing/simulation/world.ts';
import { coreSchema } from '../store/migrations.ts';

/** Long enough for a freeze, a send in doubt after it, and another send that waited for it. */
const healMs = 6 * settleMs;

const seal = createSeal('a secret of more than thirty-two characters');
let store: Store;
beforeAll(async () => {
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

const files = ['due', 'ledger', 'machine', 'record', 'send', 'settle', 'waiting', 'worker'].map(
  (name) => `${name}.ts`,
);

/** What the simulation leaves out. Each has tests of its own. */
const leftOut = [
  // A store that fails: `store-failures.test.ts`.
  /^worker\.ts: (catch|\(error|.*untilMs|\? await operations)/,
  // An answer about another request: `send.test.ts`.
  /^send\.ts: (: "unrelated"|.*afterUnrelatedAnswer)|^machine\.ts: return at\("unknown", null\)/,
  /^settle\.ts: (const read|\(message\)|&& read|\(one\)|if \(hasOtherRef|return false|return "?unreadable|return \{ type: "unreadable")/,
  // Longer than 72 hours, and events that do not apply: `machine.test.ts`.
  /^machine\.ts: (: null|\? null|return null|default: return null)/,
  // What operators give up, and customers who do not decide: `ledger.test.ts`.
  /^machine\.ts: return rejected\(event\.reason\)|^ledger\.ts: async release|^due\.ts: \(\{ and, eb \}\) => and\(\[ notDone/,
  // Two processes that record one send at once: `npm run test:postgres`.
  /^ledger\.ts: function nullWhereDuplicate/,
  // What customers may add, first tickets without a session, extras, and texts that are too long or lost.
  /^send\.ts: (\? \{ (customer_name|priority|kind: "refused")|throw new)|^record\.ts: |^ledger\.ts: (&& opening|await )/,
  // Openers who sign in meanwhile: `changing-holders.test.ts`.
  /^ledger\.ts: (\? grant\.ticket_id|\(reply\) => \[)/,
  // Other parts that listen, and the end of requests that wait.
  /^worker\.ts: (\(?listener|: 0|\(row\) =>|onChange|\(\) => |return;|return Infinity)|^waiting\.ts: |^ledger\.ts: return null/,
];

it.runIf(isLong)('every other branch of deliveries was reached', async () => {
  const delivery = await unreached('core/delivery', files);
  const all = [...delivery, ...(await unreached('core/v1', ['breaker.ts']))];
  expect(all.filter((branch) => !leftOut.some((pattern) => pattern.test(branch)))).toEqual([]);
});
