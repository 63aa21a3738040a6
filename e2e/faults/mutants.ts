import type { Mutation } from './servers/build.ts';
import { everything, type Profile, setBack } from './schedules/profiles.ts';

/** A fault of delivery that the bench must find, and the profile that shows it soon. */
export interface Mutant {
  name: string;
  mutations: readonly Mutation[];
  profile: Profile;
  /** The beginning of the expected finding. */
  shows: RegExp;
}

const calls: Profile = {
  ...everything,
  readFaults: 0,
  outages: 0,
  failpoints: 0,
  wrongDates: 0,
};

export const mutants: readonly Mutant[] = [
  {
    name: 'resends at once after a time-out',
    mutations: [
      {
        file: 'bff/core/delivery/machine.ts',
        from: `return at('unknown', timing.now + firstLookMs);`,
        to: `return at('accepted', timing.now);`,
      },
    ],
    profile: {
      ...calls,
      writeFaults: 0.8,
      faults: { manners: ['hang', 'reset'], commits: ['before', 'late'], latestMs: 20_000 },
    },
    shows: /^duplicated/,
  },
  {
    name: 'lets two sends claim one message',
    mutations: [
      {
        file: 'bff/core/delivery/ledger.ts',
        from: `return new Set(rows.map((row) => row.upstream_id!));`,
        to: `return new Set();`,
      },
      {
        file: 'bff/core/delivery/ledger.ts',
        from: `isNone(eb, ownerOf(eb, row))`,
        to: `isNone(eb, ownerOf(eb, { ...row, upstream_id: '' }))`,
      },
      {
        file: 'bff/core/store/migrations.ts',
        from: `.addUniqueConstraint('operations_upstream', ['kind', 'ticket_id', 'upstream_id'])`,
        to: '',
      },
    ],
    profile: {
      ...calls,
      tickets: [1, 1],
      replies: [4, 4],
      eagerReplies: 0,
      equalTexts: 1,
      looks: 0,
      hasFooter: 0,
      longestPauseMs: 500,
      writeFaults: 0.5,
      faults: { manners: ['reset'], commits: ['never'], latestMs: 1 },
    },
    shows: /^lost/,
  },
  {
    name: 'takes a store that was set back for the newest',
    mutations: [
      {
        file: 'bff/core/store/records/last-use.ts',
        from: `if (Math.abs(now() - last) > recentMs) await onSetBack();`,
        to: '',
      },
    ],
    profile: setBack,
    shows: /^duplicated/,
  },
];
