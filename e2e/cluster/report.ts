import { countBy } from '../faults/report.ts';
import type { AgentAnswer } from './audit.ts';
import type { CustomerLog } from './customers.ts';
import type { Happened } from './events.ts';
import type { StreamLog } from './stream.ts';

const longestList = 8;

/** What happened while an answer was on its way: nothing (`calm`), something to all, or to one instance. */
function meanwhile(
  happened: readonly Happened[],
  { lives }: Pick<StreamLog, 'lives'>,
  atMs: number,
  receivedAt: number,
): string {
  const event = happened.findLast(({ fromMs, toMs }) => fromMs <= receivedAt && toMs >= atMs);
  if (!event) return 'calm';
  if (event.port === null) return event.kind;
  const { fromMs, port } = event;
  const own = lives.findLast((life) => life.fromMs <= Math.max(atMs, fromMs));
  return `${event.kind}: ${own?.port === port ? 'this' : 'another'} instance`;
}

/** Milliseconds from an agent's answer to the customer's stream, by what happened meanwhile. */
export function delaysOf(
  answers: readonly AgentAnswer[],
  customers: readonly { stream: StreamLog }[],
  happened: readonly Happened[],
): Map<string, number[]> {
  const delays = new Map<string, number[]>();
  for (const { customer, messageId, atMs } of answers) {
    const { stream } = customers[customer]!;
    const receivedAt = stream.receivedAt.get(messageId);
    if (receivedAt === undefined) continue;
    const what = meanwhile(happened, stream, atMs, receivedAt);
    delays.set(what, [...(delays.get(what) ?? []), receivedAt - atMs]);
  }
  return delays;
}

function spread(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1_000).toFixed(2);
  return `${String(sorted.length).padStart(6)} answers, p50 ${at(0.5)} s, p95 ${at(0.95)} s, max ${at(1)} s`;
}

/** The report of a run, for people. */
export function reportOf(run: {
  title: string;
  startedAt: number;
  wrong: readonly string[];
  customers: readonly CustomerLog[];
  answers: readonly AgentAnswer[];
  happened: readonly Happened[];
  /** Sends that were refused with 503 and not recorded while the database was away. */
  refusedWhileAway: number;
}): string {
  const { title, startedAt, wrong, customers, answers, happened, refusedWhileAway } = run;
  const delays = delaysOf(answers, customers, happened);
  const sends = customers.flatMap(({ sent }) => sent);
  const ends = countBy(sends.map(({ opening, end }) => `${opening ? 'reply' : 'ticket'} ${end}`));
  const classes = countBy(wrong.map((line) => line.split(':')[0]!));
  const at = (ms: number) => `${((ms - startedAt) / 1_000).toFixed(0).padStart(5)} s`;
  return [
    title,
    'What happened',
    ...happened.map(({ kind, where, fromMs, toMs }) => `  ${at(fromMs)} to ${at(toMs)}  ${kind} ${where}`),
    'How sends ended',
    ...[...ends].map(([name, count]) => `  ${name.padEnd(20)} ${count}`),
    `Streams: ${customers.reduce((sum, { stream }) => sum + stream.lives.length, 0)} connections with a sync`,
    'From an answer to its stream',
    `  ${'all'.padEnd(44)} ${spread([...delays.values()].flat())}`,
    ...[...delays].map(([what, ms]) => `  ${what.padEnd(44)} ${spread(ms)}`),
    `Sends refused with 503 and not recorded while the database was away: ${refusedWhileAway}`,
    ...wrong.slice(0, longestList),
    ['lost', 'duplicated', 'foreign', 'unheard', 'store', ...classes.keys()]
      .filter((name, nth, all) => all.indexOf(name) === nth)
      .map((name) => `${classes.get(name) ?? 0} ${name}`)
      .join(', '),
  ].join('\n');
}
