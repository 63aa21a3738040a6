import { isLong, runs, timeoutMs, unreached } from '../../testing/simulation/branches.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openForTests } from '../../testing/simulation/store.ts';
import { schema } from '../index.ts';
import { addOthers, faultyMails, mildMails, simulateMails } from './testing/simulation.ts';

const { store, seal } = await openForTests(schema);

it(
  'whatever fails, a mail goes to its customer alone, and again only when nobody knows whether it was taken',
  () =>
    fc.assert(
      fc.asyncProperty(faultyMails, async (steps) => {
        expect(await simulateMails(steps, { store, seal, isMild: false })).toEqual([]);
      }),
      { numRuns: runs / 5 },
    ),
  timeoutMs,
);

it(
  'after faults that pass, each unread answer is mailed to a customer who wants that',
  () =>
    fc.assert(
      fc.asyncProperty(mildMails, async (steps) => {
        expect(await simulateMails(steps, { store, seal, isMild: true })).toEqual([]);
      }),
      { numRuns: runs / 5 },
    ),
  timeoutMs,
);

// The last, since its store stays full.
it.runIf(isLong)(
  'each unread answer is also mailed from a store with 100,000 tickets of others',
  async () => {
    await addOthers(store.store, 100_000);
    const property = fc.asyncProperty(mildMails, async (steps) => {
      expect(await simulateMails(steps, { store, seal, isMild: true })).toEqual([]);
    });
    await fc.assert(property, { numRuns: runs / 100 });
  },
  timeoutMs,
);

const files = [
  'background-reader',
  'job',
  'loop',
  'mail-facts',
  'mail-queue',
  'mailer',
  'mailing',
  'notices',
  'read-schedule',
  'refusal',
  'suppressions',
].map((name) => `${name}.ts`);

/** What the simulation leaves out, and the tests that have it. */
const leftOut = [
  // Settings without answers or confirmations, a brand or another address: `mailer.test.ts`, `confirmations.test.ts`.
  /answerAfterMs|^job\.ts: \?\? Infinity|^notices\.ts: async mailed/,
  /^mailer\.ts: (\?\.address|\? undefined|\|\| (host|brand)|&& \{ replyTo)/,
  // Answers by mail: `in/incoming.test.ts`.
  /^mailer\.ts: (.*reply|async tellSender)|^mailing\.ts: \?\.of/,
  // Codes, and what operators see and do: `mailer.test.ts`, `command.test.ts`.
  /^mailer\.ts: async sendCode|^mail-queue\.ts: async countDue|^suppressions\.ts: (\(|async remove)/,
  // All words of a refusal: `mailer.test.ts`.
  /^refusal\.ts: /,
  // Long texts, and texts that are erased: `ticket-message.test.ts`, `devices.test.ts`.
  /^mail-facts\.ts: (break|: `\$|\?\? null|: null)|^mailing\.ts: \? null|^notices\.ts: return; in if \((!payload|rows\.length)/,
  // One process that knows that no other runs, and a wrong token: `core/housekeeping.test.ts`, `suppressions.test.ts`.
  /^mail-queue\.ts: async release|^suppressions\.ts: : null/,
  // A pause of the service, or the end of a lease, while one mail is prepared: the schedules do not meet that moment.
  /^background-reader\.ts: .*readsHeldMs|^mailing\.ts: .*!hasLease/,
  // A hint to a process that ends.
  /^loop\.ts: return; in if \(!isStarted/,
];

it.runIf(isLong)('every other branch of mails was reached', async () => {
  const all = await unreached('extras/mails', files);
  expect(all.filter((branch) => !leftOut.some((pattern) => pattern.test(branch)))).toEqual([]);
});
