import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';

interface Summary {
  median: number;
  low: number;
  high: number;
}

/** One measured property of the product, beside what it is compared with in the same run. */
export interface Figure {
  /** The table of the report that has it. */
  table: string;
  what: string;
  unit: string;
  /** Each round's value. */
  of: readonly number[];
  /** Each round's values of what it is compared with, by name. */
  beside?: Record<string, readonly number[]>;
}

export interface Section {
  figures: Figure[];
  /** What a reader must know about how these figures were measured; Markdown. */
  notes: string[];
}

export interface BenchOptions {
  /** Few rounds: only large differences can be trusted. */
  isQuick: boolean;
  /** The commit whose build `press` and `pauses` measure beside this one. */
  against?: string | undefined;
}

function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const median = sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  return { median, low: sorted[0]!, high: sorted.at(-1)! };
}

/** Divides round by round: the rounds of a pair were measured in turn, so other work of the machine slowed both. */
function ratioOf(ours: readonly number[], theirs: readonly number[]): number | null {
  if (theirs.includes(0)) return null;
  const divisor = summarize(theirs).median;
  const isPaired = ours.length === theirs.length;
  return summarize(ours.map((value, round) => value / (isPaired ? theirs[round]! : divisor))).median;
}

/** Three significant digits. */
const digits = (value: number) =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 });

function spread(values: readonly number[]): string {
  const { median, low, high } = summarize(values);
  return low === high ? digits(median) : `${digits(median)} (${digits(low)}–${digits(high)})`;
}

function besideCell(ours: readonly number[], theirs: readonly number[] = []): string {
  if (theirs.length === 0) return '';
  const ratio = ratioOf(ours, theirs);
  return spread(theirs) + (ratio === null ? '' : `; **×${digits(ratio)}**`);
}

function table(title: string, figures: readonly Figure[]): string {
  const others = [...new Set(figures.flatMap(({ beside = {} }) => Object.keys(beside)))];
  const rows = [
    ['', 'unit', 'ours', ...others],
    ['---', '---', ...['ours', ...others].map(() => '---:')],
    ...figures.map(({ what, unit, of, beside }) => [
      what,
      unit,
      spread(of),
      ...others.map((name) => besideCell(of, beside?.[name])),
    ]),
  ];
  const rounds = `Rounds: ${figures[0]!.of.length}.`;
  return [`## ${title}`, rounds, rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')].join('\n\n');
}

/** What is measured: the last commit, and whether files have changed since. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--', ':!bench') !== '';
  return git('rev-parse', '--short', 'HEAD') + (isChanged ? ' with changes' : '');
}

/** The load average of the last minute. */
export const loadNow = () => loadavg()[0]!.toFixed(2);

/** Writes `bench/<name>.md` unless the run was quick. It has no verdict, since figures depend on the machine. Returns its text. */
export async function writeReport(
  name: string,
  { figures, notes }: Section,
  { isQuick, loadBefore }: BenchOptions & { loadBefore: string },
): Promise<string> {
  const titles = [...new Set(figures.map((each) => each.table))];
  const text = `${[
    `# Benchmark: ${name}`,
    `Written by \`npm run bench -- ${name}\` at ${new Date().toISOString()} of commit ${commit()}: ${cpus().length} cores (${cpus()[0]?.model}), ` +
      `Node ${process.version}, load average ${loadBefore} before and ${loadNow()} after.` +
      (isQuick ? ' A quick run with few rounds: trust nothing but large differences.' : ''),
    'A cell has the median of the rounds and, in brackets, the least and the most. **×2** beside another means that ours ' +
      'is twice as much. Only ratios of one run count.',
    ...notes,
    ...titles.map((title) =>
      table(
        title,
        figures.filter((each) => each.table === title),
      ),
    ),
  ].join('\n\n')}\n`;
  if (!isQuick) await writeFile(`bench/${name}.md`, text);
  return text;
}
