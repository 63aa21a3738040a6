import type { Verdict } from './audit.ts';
import type { Exchange } from '../customers.ts';
import type { Happened } from '../events.ts';

const longestList = 8;

/** How customers were answered: by what happened meanwhile, method and status. */
export function createAnswerCounts(happened: readonly Happened[]) {
  const counts = new Map<string, Map<string, number>>();
  return {
    note({ method, askedAt, status }: Exchange): void {
      const meanwhile =
        happened.find(({ fromMs, toMs }) => askedAt >= fromMs && askedAt <= toMs)?.kind ?? 'calm';
      const answers = counts.get(meanwhile) ?? new Map<string, number>();
      const answer = `${method} ${status ?? 'none'}`;
      counts.set(meanwhile, answers.set(answer, (answers.get(answer) ?? 0) + 1));
    },
    lines: (): string[] =>
      [...counts].map(([meanwhile, answers]) => {
        const each = [...answers]
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([name, n]) => `${name}: ${n}`);
        return `  ${meanwhile.padEnd(34)} ${each.join(', ')}`;
      }),
  };
}

function spread(ms: readonly number[]): string {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share: number) => ((sorted[Math.floor(share * (sorted.length - 1))] ?? 0) / 1_000).toFixed(2);
  return `${String(sorted.length).padStart(6)} answers, p50 ${at(0.5)} s, p95 ${at(0.95)} s, max ${at(1)} s`;
}

/** How often each code is in the log lines, with the code of the error behind it. */
export function countCodes(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const code = /"code":"(\w+)"/.exec(line)?.[1] ?? line.slice(0, 80);
    const cause = /"err":\{[^}]*?"code":"(\w+)"/.exec(line)?.[1];
    const name = cause ? `${code} (${cause})` : code;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name, n]) => `  ${name.padEnd(50)} ${n}`);
}

/** One instance had reported it before it could record it, and another one was asked meanwhile. */
const wasTakenBack = (told: readonly string[]) =>
  told.includes('done') && told.indexOf('done') < told.length - 1;

export interface Figures {
  seed: number;
  seconds: number;
  startedAt: number;
  customers: number;
  tickets: number;
  webhooks: Readonly<Record<'taken' | 'refused' | 'lost', number>> | null;
  streams: number;
  failedStreams: number;
  refusedWhileAway: number;
}

/** The report of a run, for people. */
export function reportOf(
  { faults, delays, sends }: Verdict,
  figures: Figures,
  happened: readonly Happened[],
  answerLines: readonly string[],
  codeLines: readonly string[],
): string {
  const { seed, seconds, startedAt, customers, tickets, webhooks, streams, failedStreams } = figures;
  const endCounts = new Map<string, number>();
  for (const { opening, end } of sends) {
    const name = `${opening ? 'replies' : 'tickets'} ${end}`;
    endCounts.set(name, (endCounts.get(name) ?? 0) + 1);
  }
  const at = (ms: number) => `${((ms - startedAt) / 1_000).toFixed(0).padStart(5)} s`;
  return [
    `seed ${seed}, ${customers} customers, ${seconds.toFixed(0)} s`,
    'What happened',
    ...happened.map(({ kind, where, fromMs, toMs }) => `  ${at(fromMs)} to ${at(toMs)}  ${kind} ${where}`),
    'How customers were answered meanwhile',
    ...answerLines,
    'What instances and nginx logged',
    ...codeLines,
    'How sends ended',
    ...[...endCounts].map(([name, count]) => `  ${name.padEnd(20)} ${count}`),
    `  told sent, and then not yet: ${sends.filter(({ told }) => wasTakenBack(told)).length}`,
    `Streams: ${streams} connections with a sync, ${failedStreams} attempts without`,
    'From an answer to its stream',
    `  ${'all'.padEnd(44)} ${spread([...delays.values()].flat())}`,
    ...[...delays].map(([meanwhile, ms]) => `  ${meanwhile.padEnd(44)} ${spread(ms)}`),
    `Tickets at the service: ${tickets}`,
    webhooks
      ? `Webhooks: ${webhooks.taken} taken at once, ${webhooks.refused} not, ${webhooks.lost} of them not the second time either`
      : 'Webhooks: none, answers are found by reading',
    `Sends refused with 503 and not recorded while the database was away: ${figures.refusedWhileAway}`,
    ...Object.entries(faults).flatMap(([name, lines]) =>
      lines.slice(0, longestList).map((line) => `FAULT ${name}: ${line}`),
    ),
    Object.entries(faults)
      .map(([name, lines]) => `${lines.length} ${name}`)
      .join(', '),
  ].join('\n');
}

export const hasFault = ({ faults }: Verdict): boolean =>
  Object.values(faults).some((lines) => lines.length > 0);
