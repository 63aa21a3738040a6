import type { DueOutcome } from './due.ts';
import type { Outcome } from './run.ts';

const count = <T>(counts: Map<T, number>, what: T, times = 1) =>
  void counts.set(what, (counts.get(what) ?? 0) + times);

const table = (title: string, counts: Map<string, number>) => [
  title,
  ...[...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `  ${name.padEnd(52)} ${String(times).padStart(8)}`),
];

/** Adds up the runs. */
export function createTally() {
  const faults = new Map<string, number>();
  const ends = new Map<string, number>();
  const wrong = new Map<string, number>([
    ['lost', 0],
    ['duplicated', 0],
  ]);
  let runs = 0;
  let voids = 0;
  let failed = 0;
  let sends = 0;

  return {
    add(outcome: Outcome): void {
      runs += 1;
      for (const [name, times] of outcome.faults) count(faults, name, times);
      if (outcome.isVoid) {
        voids += 1;
        return;
      }
      sends += outcome.sent.length;
      for (const { opening, end } of outcome.sent) count(ends, `${opening ? 'reply' : 'ticket'} ${end}`);
      for (const line of outcome.wrong) count(wrong, line.split(':')[0]!);
      if (outcome.wrong.length > 0) failed += 1;
    },
    /** Also when too many of the runs were void for the others to tell much. */
    hasFailed: () => failed > 0 || voids * 10 > runs,
    summary: () => `${runs} runs, ${sends} sends, ${failed} failed`,
    /** The tables, and what it comes to. */
    print: () =>
      [
        ...table('Faults that happened', faults),
        ...table('How the sends ended', ends),
        `${runs} runs, ${sends} sends${voids > 0 ? `; ${voids} runs void: this machine was too slow for them` : ''}`,
        [...wrong].map(([what, times]) => `${times} ${what}`).join(', '),
      ].join('\n'),
  };
}

const longestLine = 400;

/** All that is needed to understand a run that failed. */
export const explain = ({ wrong, lines }: Pick<Outcome, 'wrong' | 'lines'>, schedule: string) =>
  [
    'A run failed:',
    ...wrong.map((line) => `  ${line}`),
    'Its schedule:',
    schedule.replace(/^/gm, '  '),
    'The last lines of its BFF:',
    ...lines.map((line) => `  ${line.slice(0, longestLine)}`),
  ].join('\n');

/** Adds up the runs about due times. */
export function createDueTally() {
  const lateMs: number[] = [];
  let runs = 0;
  let voids = 0;
  let failed = 0;
  let late = 0;
  return {
    add(outcome: DueOutcome): void {
      runs += 1;
      if (outcome.isVoid) voids += 1;
      else {
        lateMs.push(...outcome.lateMs);
        if (outcome.wrong.length > 0) failed += 1;
        late += outcome.wrong.filter((line) => line.startsWith('late')).length;
      }
    },
    /** Also when half of the runs were void. */
    hasFailed: () => failed > 0 || voids * 2 > runs,
    print(): string {
      const sorted = lateMs.toSorted((a, b) => a - b);
      const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
      const isVoid = voids > 0 ? `; ${voids} void: this machine was too slow for them` : '';
      return [
        `${runs} runs about due times, in real time${isVoid}`,
        `${sorted.length} times on the way again: ${at(0.5)} ms after due in the middle, ${at(1)} ms at worst`,
        `${late} late`,
      ].join('\n');
    },
  };
}
