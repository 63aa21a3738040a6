import { readFile, writeFile } from 'node:fs/promises';
import { run } from '../../scripts/run.ts';

/* Copies figures of the reports in `bench/` into README.md, between two comments. */

const mark = '<!-- figures of bench/ -->';

/** The rows that the README shows: the best and the worst of each report. */
const shown = {
  page: [
    'launcher visible',
    'click to typing',
    'click to typing, after a hover',
    'click to the request that sends, filled in at once',
  ],
  bff: [
    'conversation',
    'list of 20',
    'session',
    'reply',
    'ticket',
    'conversation, on PostgreSQL',
    'reply, on PostgreSQL',
    'ticket, on PostgreSQL',
  ],
  streams: ['answer to the last stream', 'memory of a stream'],
};

/** `4,510 (3,940–4,980)` without the least and the most. */
const medianOf = (cell: string) => cell.replace(/ \(.*?\)/, '');

/** The row of this name in a report, as a row of the README. */
function rowOf(report: string, name: string): string {
  const line = report.split('\n').find((each) => each.startsWith(`| ${name} |`));
  if (!line) throw new Error(`no report has the row "${name}"`);
  const [, what, unit, ours, beside] = line.split('|').map((cell) => cell.trim());
  const [other, ratio] = beside!.split('; ');
  return `| ${what} | ${medianOf(ours!)} ${unit} | ${medianOf(other!)} ${unit} | ${ratio} |`;
}

/** @throws when a report lacks a row */
export async function updateReadme(): Promise<void> {
  const rows: string[] = [];
  for (const [name, wanted] of Object.entries(shown)) {
    const report = await readFile(`bench/${name}.md`, 'utf8');
    rows.push(...wanted.map((row) => rowOf(report, row)));
  }
  const [before, , after] = (await readFile('README.md', 'utf8')).split(mark);
  const table = ['| | Deskside | compared | ratio |', '| --- | ---: | ---: | ---: |', ...rows].join('\n');
  await writeFile('README.md', `${before}${mark}\n\n${table}\n\n${mark}${after}`);
  await run('oxfmt', ['README.md']);
}
