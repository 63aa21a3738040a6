import { describeSchedule } from './schedules/describe.ts';
import type { Outcome } from './runs/run.ts';
import type { Schedule } from './schedules/schedule.ts';

const count = <T>(counts: Map<T, number>, what: T, times = 1) =>
  void counts.set(what, (counts.get(what) ?? 0) + times);

const table = (title: string, counts: Map<string, number>) => [
  title,
  ...[...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `  ${name.padEnd(52)} ${String(times).padStart(8)}`),
];

/** A run that failed. */
export interface Failure {
  /** The violations, one line each. */
  wrong: string[];
  /** All facts that are needed to understand the failure. */
  explanation: string;
}

type OnFailure = (failure: Failure) => void;
const ignore: OnFailure = () => undefined;

const longestLine = 400;

const explain = ({ wrong, lines }: Pick<Outcome, 'wrong' | 'lines'>, schedule: string) =>
  [
    'A run failed. The last lines of its BFF:',
    ...lines.map((line) => `  ${line.slice(0, longestLine)}`),
    'Its schedule:',
    schedule.replace(/^/gm, '  '),
    // Last, since the log of a CI run may show the end only.
    'What is wrong:',
    ...wrong.map((line) => `  ${line}`),
  ].join('\n');

/** The share of the runs that may be void. */
const largestVoidShare = 0.5;

/** Counts runs, and reports each that failed. */
function createRunCount<S>(describe: (schedule: S) => string, onFailure: OnFailure) {
  let runs = 0;
  let voids = 0;
  const failures: Failure[] = [];
  return {
    add({ wrong, lines, isVoid }: Pick<Outcome, 'wrong' | 'lines' | 'isVoid'>, schedule: S): void {
      runs += 1;
      if (isVoid) voids += 1;
      if (wrong.length === 0) return;
      const failure = { wrong, explanation: explain({ wrong, lines }, describe(schedule)) };
      failures.push(failure);
      onFailure(failure);
    },
    failures: failures as readonly Failure[],
    runs: () => runs,
    /** The lines about void runs; empty when there are none. */
    voidNote: () => (voids > 0 ? `; ${voids} void: this machine was too slow for them` : ''),
    /** Why the runs prove too little, as a sentence; null when few enough were void. */
    tooManyVoid: () =>
      voids > runs * largestVoidShare
        ? `${voids} of ${runs} runs were void: this machine was too slow for them. The others tell too little.`
        : null,
  };
}

/** Adds up the runs; `onFailure` is called at once with a run that failed. */
export function createTally(onFailure = ignore) {
  const faults = new Map<string, number>();
  const ends = new Map<string, number>();
  const wrong = new Map<string, number>([
    ['lost', 0],
    ['duplicated', 0],
  ]);
  const all = createRunCount(describeSchedule, onFailure);
  let sends = 0;

  return {
    add(outcome: Outcome, schedule: Schedule): void {
      all.add(outcome, schedule);
      for (const [name, times] of outcome.faults) count(faults, name, times);
      if (outcome.isVoid) return;
      sends += outcome.sent.length;
      for (const { opening, end } of outcome.sent) count(ends, `${opening ? 'reply' : 'ticket'} ${end}`);
      for (const line of outcome.wrong) count(wrong, line.split(':')[0]!);
    },
    sends: () => sends,
    failures: all.failures,
    tooManyVoid: all.tooManyVoid,
    hasFailed: () => all.failures.length > 0 || all.tooManyVoid() !== null,
    summary: () => `${all.runs()} runs, ${sends} sends, ${all.failures.length} failed`,
    /** The tables, and the result. */
    print: () =>
      [
        ...table('Faults that happened', faults),
        ...table('How the sends ended', ends),
        `${all.runs()} runs, ${sends} sends${all.voidNote()}`,
        [...wrong].map(([what, times]) => `${times} ${what}`).join(', '),
        all.tooManyVoid() ?? [],
      ]
        .flat()
        .join('\n'),
  };
}
