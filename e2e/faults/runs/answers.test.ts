import { expect, it } from 'vitest';
import { hasDovecot } from '../../../scripts/dovecot.ts';
import { buildForFaults } from '../servers/build.ts';
import { runAnswers } from './answers.ts';

it.skipIf(!hasDovecot())(
  'answers by mail reach their tickets once and in order while BFF, mailbox and service are killed or away',
  async () => {
    const built = await buildForFaults();
    try {
      const asked = { seed: 1, customers: 4, each: 3, disturbances: 3 };
      const { wrong, report } = await runAnswers(built, asked);
      expect([report, ...wrong]).toEqual([report]);
    } finally {
      await built.remove();
    }
  },
  // Longer than the bench itself waits.
  660_000,
);
