import { stringify } from 'yaml';
import type { Outcome } from './runs/run.ts';
import { nameOf } from './schedules/faults.ts';
import type { Schedule } from './schedules/schedule.ts';

/** The share of the runs that may be void. */
const largestVoidShare = 0.5;
const longestLine = 400;
/** What so many runs planned so often, and what never happened, tells that the bench does not reach it. */
const enoughRuns = 100;
const oftenPlanned = 30;

/** A run that failed. */
export interface Failure {
  /** The violations, one line each. */
  wrong: readonly string[];
  /** All facts that are needed to understand the failure. */
  explanation: string;
}

/** How often each name is there. */
export function countBy(names: Iterable<string>, counts = new Map<string, number>()): Map<string, number> {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const table = (title: string, counts: Map<string, number>) => [
  title,
  ...[...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, times]) => `  ${name.padEnd(52)} ${String(times).padStart(8)}`),
];

const explain = ({ wrong, lines }: Outcome, schedule: Schedule) =>
  [
    'A run failed. The last lines of its BFF:',
    ...lines.slice(-60).map((line) => `  ${line.slice(0, longestLine)}`),
    'Its schedule:',
    stringify(schedule, { aliasDuplicateObjects: false }).replace(/^/gm, '  '),
    // Last, since the log of a CI run may show the end only.
    'What is wrong:',
    ...wrong.map((line) => `  ${line}`),
  ].join('\n');

/** The names of what a schedule may let happen. */
const plannedIn = (schedule: Schedule): string[] => [
  ...[...schedule.writes.values(), schedule.reads].flat().flatMap((fault) => (fault ? nameOf(fault) : [])),
  ...schedule.failpoints.map((point) => `failpoint ${point.split(':')[0]}`),
  ...schedule.outages.map(() => 'outage'),
  ...schedule.wrongDates.map(({ date }) => `Date ${date}`),
  ...schedule.fullDisks.map(() => 'disk full'),
];

/** Adds up the runs of a series; `onFailure` is called at once with a run that failed. */
export function createTally(onFailure: (failure: Failure) => void = () => undefined) {
  const faults = new Map<string, number>();
  const planned = new Map<string, number>();
  const ends = new Map<string, number>();
  const classes = new Map([
    ['lost', 0],
    ['duplicated', 0],
    ['mixed up', 0],
    ['orphaned', 0],
  ]);
  const failures: Failure[] = [];
  let runs = 0;
  let voids = 0;
  let sends = 0;
  let files = 0;

  /** Why the runs prove too little, as a sentence; null when few enough were void. */
  const tooManyVoid = () =>
    voids > runs * largestVoidShare
      ? `${voids} of ${runs} runs were void: this machine was too slow for them. The others tell too little.`
      : null;

  /** What was often planned, and never happened. */
  const unreached = () =>
    [...planned].filter(([name, times]) => runs >= enoughRuns && times >= oftenPlanned && !faults.has(name));

  return {
    add(outcome: Outcome, schedule: Schedule): void {
      runs += 1;
      countBy(plannedIn(schedule), planned);
      for (const [name, times] of outcome.faults) faults.set(name, (faults.get(name) ?? 0) + times);
      if (outcome.isVoid) {
        voids += 1;
        return;
      }
      sends += outcome.sent.length;
      files += outcome.sent.flatMap((send) => send.files).length;
      countBy(
        outcome.sent.map(({ opening, end }) => `${opening ? 'reply' : 'ticket'} ${end}`),
        ends,
      );
      countBy(
        outcome.wrong.map((line) => line.split(':')[0]!),
        classes,
      );
      if (outcome.wrong.length === 0) return;
      const failure = { wrong: outcome.wrong, explanation: explain(outcome, schedule) };
      failures.push(failure);
      onFailure(failure);
    },
    failures: failures as readonly Failure[],
    sends: () => sends,
    tooManyVoid,
    hasFailed: () => failures.length > 0 || tooManyVoid() !== null || unreached().length > 0,
    summary: () => `${runs} runs, ${sends} sends, ${failures.length} failed`,
    /** The tables, and the result. */
    print: () =>
      [
        ...table('Faults that happened', faults),
        ...table('How the sends ended', ends),
        `${runs} runs, ${sends} sends${files > 0 ? ` with ${files} files` : ''}` +
          (voids > 0 ? `; ${voids} void: this machine was too slow for them` : ''),
        [...classes].map(([what, times]) => `${times} ${what}`).join(', '),
        tooManyVoid() ?? [],
        unreached().map(([name, times]) => `never happened, though planned ${times} times: ${name}`),
      ]
        .flat()
        .join('\n'),
  };
}
