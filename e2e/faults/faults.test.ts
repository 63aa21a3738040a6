import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { runDueSeries, runSeries } from './bench.ts';
import { buildForFaults } from './build.ts';
import { describeDueSchedule } from './due-schedule.ts';
import { lateMutants, type Mutant, mutants } from './mutants.ts';
import { describeSchedule } from './describe.ts';
import { explain } from './report.ts';
import { everything, type Profile } from './schedule.ts';

const jobs = 4;

/** What is wrong in the first run in which anything is, explained; empty when nothing is. */
async function search(
  mutations: Mutant['mutations'],
  series: { profile: Profile; firstSeed: number; runs: number },
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
        found.explanation = explain(outcome, describeSchedule(schedule));
      },
    });
  } finally {
    await built.remove();
  }
  return found;
}

/** The same of the runs about due times, all of them; `times`: how many were looked at. */
async function searchLate(mutations: Mutant['mutations'], firstSeed: number, runs: number) {
  const built = await buildForFaults(mutations);
  const found = { wrong: [] as string[], explanation: '', times: 0 };
  try {
    await runDueSeries({
      built,
      firstSeed,
      runs,
      jobs: 4,
      onOutcome(outcome, schedule) {
        if (outcome.isVoid) return;
        found.times += outcome.lateMs.length;
        found.wrong.push(...outcome.wrong);
        if (outcome.wrong.length > 0) found.explanation += explain(outcome, describeDueSchedule(schedule));
      },
    });
  } finally {
    await built.remove();
  }
  return found;
}

beforeAll(buildIfNeeded, 120_000);

it('failpoints are only in the bench’s build', async () => {
  const built = await buildForFaults();
  const hasFailpoints = async (entry: string) => {
    const names = (await readdir(dirname(entry))).filter((name) => name.endsWith('.js'));
    const codes = await Promise.all(names.map((name) => readFile(join(dirname(entry), name), 'utf8')));
    return codes.some((code) => /process\.env\W+FAILPOINT/.test(code));
  };
  expect(await Promise.all([built.bff, 'dist/bff/main.js'].map(hasFailpoints))).toEqual([true, false]);
  await built.remove();
});

describe('delivery under faults', () => {
  it('loses nothing and sends nothing twice [delivery-27]', async () => {
    const { explanation, sends } = await search([], { profile: everything, firstSeed: 1, runs: 12 });
    expect(explanation).toBe('');
    expect(sends).toBeGreaterThan(50);
  });
});

// In real time, nearly all of it waiting: at once with the mutants of due times.
describe.concurrent('due times, of calls that failed, of a process killed in mid-send, and with the clock set', () => {
  it('are kept to a second, unless the machine was too slow', async () => {
    const { explanation, times } = await searchLate([], 1, 8);
    expect(explanation).toBe('');
    expect(times).toBeGreaterThan(10);
  });

  it.each(lateMutants)('show a delivery that $name', async ({ mutations, seed }) => {
    const { wrong } = await searchLate(mutations, seed, 1);
    expect(wrong).toContainEqual(expect.stringMatching(/^late/));
  });
});

describe('the bench', () => {
  it.each(mutants)('detects a delivery that $name', async ({ mutations, profile, shows }) => {
    const { wrong } = await search(mutations, { profile, firstSeed: 1, runs: 24 });
    expect(wrong).toContainEqual(expect.stringMatching(shows));
  });

  it('refuses a mutant whose place in the source has gone', async () => {
    const moved = { file: 'bff/delivery/machine.ts', from: 'a text that is not there', to: '' };
    await expect(buildForFaults([moved])).rejects.toThrow('holds 0 times');
  });
});
