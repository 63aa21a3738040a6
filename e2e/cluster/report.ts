import { countBy } from '../faults/report.ts';
import type { AgentAnswer } from './audit.ts';
import type { CustomerLog } from './customers.ts';
import type { Happened } from './events.ts';

const longestList = 8;

function spread(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1_000).toFixed(2);
  return `${sorted.length} answers, p50 ${at(0.5)} s, p95 ${at(0.95)} s, max ${at(1)} s`;
}

/** The report of a run, for people. */
export function reportOf(run: {
  title: string;
  startedAt: number;
  wrong: readonly string[];
  customers: readonly CustomerLog[];
  answers: readonly AgentAnswer[];
  happened: readonly Happened[];
}): string {
  const { title, startedAt, wrong, customers, answers, happened } = run;
  const delays = answers.flatMap(({ customer, messageId, atMs }) => {
    const receivedAt = customers[customer]!.stream.receivedAt.get(messageId);
    return receivedAt === undefined ? [] : [receivedAt - atMs];
  });
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
    `From an answer to its stream: ${spread(delays)}`,
    ...wrong.slice(0, longestList),
    ['lost', 'duplicated', 'foreign', 'unheard', 'store', ...classes.keys()]
      .filter((name, nth, all) => all.indexOf(name) === nth)
      .map((name) => `${classes.get(name) ?? 0} ${name}`)
      .join(', '),
  ].join('\n');
}
