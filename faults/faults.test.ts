import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildIfNeeded } from '../scripts/build-if-needed.ts';
import { runSeries, type Series } from './bench.ts';
import { buildForFaults } from './build.ts';
import { type Mutant, mutants } from './mutants.ts';
import { explain } from './report.ts';
import { everything } from './schedule.ts';

const jobs = 6;

/** What is wrong in the first run in which anything is, explained; empty when nothing is. */
async function search(
  mutations: Mutant['mutations'],
  series: Pick<Series, 'profile' | 'firstSeed' | 'runs'>,
): Promise<{ wrong: string[]; explanation: string; sends: number }> {
  const built = await buildForFaults(mutations);
  const found = { wrong: [] as string[], explanation: '', sends: 0 };
  try {
    await runSeries({
      ...series,
      built,
      jobs,
      isEnough: () => found.wrong.length > 0,
      onOutcome(outcome, schedule) {
        if (outcome.isVoid) return;
        found.sends += outcome.sent.length;
        if (outcome.wrong.length === 0 || found.wrong.length > 0) return;
        found.wrong = outcome.wrong;
        found.explanation = explain(outcome, schedule);
      },
    });
  } finally {
    await built.remove();
  }
  return found;
}

beforeAll(buildIfNeeded, 120_000);

it('the failpoints are in the build of the bench alone', async () => {
  const built = await buildForFaults();
  const hasFailpoints = async (file: string) => (await readFile(file, 'utf8')).includes('FAILPOINT');
  expect(await Promise.all([built.bff, 'dist/bff/main.js'].map(hasFailpoints))).toEqual([true, false]);
  await built.remove();
});

describe('delivery under faults', () => {
  it('loses nothing and sends nothing twice', async () => {
    const { explanation, sends } = await search([], { profile: everything, firstSeed: 1, runs: 18 });
    expect(explanation).toBe('');
    expect(sends).toBeGreaterThan(100);
  });
});

describe('the bench', () => {
  it.each(mutants)('finds out a delivery that $name', async ({ mutations, profile, shows }) => {
    const { wrong } = await search(mutations, { profile, firstSeed: 1, runs: 24 });
    expect(wrong).toContainEqual(expect.stringMatching(shows));
  });

  it('refuses a mutant whose place in the source has gone', async () => {
    const moved = { file: 'bff/delivery/machine.ts', from: 'a text that is not there', to: '' };
    await expect(buildForFaults([moved])).rejects.toThrow('holds 0 times');
  });
});
