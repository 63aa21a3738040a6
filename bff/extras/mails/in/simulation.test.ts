import { isLong, runs, timeoutMs, unreached } from '../../../testing/simulation/branches.ts';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { openForTests } from '../../../testing/simulation/store.ts';
import { schema } from '../../index.ts';
// Otherwise the first mail would wait for it longer than simulated time knows.
import './read-mail.ts';
import { current, mailsIn, simulateMailsIn } from './testing/simulation.ts';

vi.mock('imapflow', () => ({
  ImapFlow: function (options: never) {
    return new current.mailbox!.Client(options);
  },
}));

const { store, seal } = await openForTests(schema);

it(
  'whatever fails, each answer by mail is in its ticket once or set aside, nothing else is, and no program is answered again and again',
  () =>
    fc.assert(
      fc.asyncProperty(mailsIn, async (schedule) => {
        expect(await simulateMailsIn(schedule, { store, seal })).toEqual([]);
      }),
      { numRuns: runs / 5 },
    ),
  timeoutMs,
);

/** Those that can fail. The others only decide. */
const files = ['act', 'imap', 'inbox', 'incoming', 'job', 'mailbox', 'pieces'].map((name) => `${name}.ts`);

/** What the simulation leaves out, and the tests that have it. */
const leftOut = [
  // What a mail says, and limits: `decide.test.ts`, `incoming.test.ts`.
  /^act\.ts: (&& |: "it has no sender|\?\? null|return aside|throw error|\|\| \(mail)/,
  // Mails above 1 MB, ones that are removed or not given out, odd servers, and a reader whose lease ends while it reads:
  // `e2e/mail/imap.test.ts`.
  /^imap\.ts: (return false; in if \(stopping|: |\?\? 0|async function setAside|return null|return setAside|throw .*no UIDs|\|\| null)/,
  // Mails above 15 MB or without a Message-ID, 200 that are set aside, eight failures, other settings: `incoming.test.ts`, `options.test.ts`.
  /^inbox\.ts: (async function hasMany|.*hasManyAside|&& \{ attempts|\? |\?\? |const hasPieces|await pieces\.remove)/,
  /^job\.ts: .*it failed|^incoming\.ts: (\?\? sender|onAside)/,
  // What is erased meanwhile, or sealed with another key: `incoming.test.ts`.
  /^pieces\.ts: (return null|: null)/,
  // One process that knows that no other runs: `mailbox.test.ts`.
  /async release\(/,
];

it.runIf(isLong)('every other branch of mails in was reached', async () => {
  const all = await unreached('mails/in', files);
  expect(all.filter((branch) => !leftOut.some((pattern) => pattern.test(branch)))).toEqual([]);
});
