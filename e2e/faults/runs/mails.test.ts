import { expect, it } from 'vitest';
import { buildForFaults } from '../servers/build.ts';
import { runMails } from './mails.ts';

it('200 answers are mailed as promised while the BFF is killed and the mail server is away', async () => {
  const built = await buildForFaults();
  try {
    const { wrong, report } = await runMails(built, 1);
    expect([report, ...wrong]).toEqual([report]);
  } finally {
    await built.remove();
  }
});
