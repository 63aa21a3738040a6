import type { Beside, Figure, Summary } from './figure.ts';
import type { MeasuredSection, Report } from './report.ts';

/** Three significant digits, so that a table shows no more than was measured. */
function digits(value: number): string {
  if (value === 0) return '0';
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(places, 4) });
}

function spread({ median, low, high }: Summary): string {
  return low === high ? digits(median) : `${digits(median)} (${digits(low)}–${digits(high)})`;
}

const besideCell = (beside: Beside | undefined) =>
  beside ? spread(beside) + (beside.ratio ? `; **×${digits(beside.ratio.median)}**` : '') : '';

const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

/** A table of figures: one column for our values, and one for each peer that any figure is compared with. */
export function table(figures: readonly Figure[]): string {
  const others = [...new Set(figures.flatMap(({ beside }) => beside.map(({ what }) => what)))];
  const hasAims = figures.some(({ aim }) => aim !== undefined);
  const head = ['', 'unit', 'ours', ...others, ...(hasAims ? ['aim'] : [])];
  const lines = figures.map((each) => [
    each.what,
    each.better === 'higher' ? `${each.unit} ↑` : each.unit,
    spread(each),
    ...others.map((what) => besideCell(each.beside.find((beside) => beside.what === what))),
    ...(hasAims ? [each.aim ?? ''] : []),
  ]);
  return [row(head), row(head.map((_, column) => (column < 2 ? '---' : '---:'))), ...lines.map(row)].join(
    '\n',
  );
}

function runOf({ machine, isQuick }: MeasuredSection): string {
  const lines = [
    `${machine.cores} cores (${machine.processor}), ${machine.memoryGb} GB, Node ${machine.node}, ` +
      `Chromium ${machine.chromium}`,
    `${machine.startedAt}, load average ${machine.loadBefore} before and ${machine.loadAfter} after`,
    ...(isQuick ? ['a quick run: few rounds, so trust nothing but large differences'] : []),
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

function section(name: string, measured: MeasuredSection): string {
  const { figures, plots, notes } = measured;
  const titles = [...new Set(figures.map((each) => each.table))];
  return [
    `## ${name}`,
    runOf(measured),
    ...notes,
    ...titles.map(
      (title) =>
        `### ${title}\n\nRounds: ${figures.find((each) => each.table === title)!.rounds}.\n\n` +
        table(figures.filter((each) => each.table === title)),
    ),
    ...plots.map((plot) => `![${plot.title}](${plot.name}.svg)`),
  ].join('\n\n');
}

/** The report for people. */
export function markdown({ sections }: Report): string {
  return `${[
    '# Benchmarks',
    'Written by `npm run bench`. A cell has the median of the rounds and, in brackets, the least and the most. **×2** ' +
      'beside another means that ours is twice as much as that one. ↑ marks where more is better; elsewhere less ' +
      'is. All columns of a section were measured in one run, in turn. Absolute figures depend on the machine and on ' +
      'what else it does; only ratios of one run count.',
    ...Object.entries(sections).map(([name, each]) => section(name, each)),
  ].join('\n\n')}\n`;
}
