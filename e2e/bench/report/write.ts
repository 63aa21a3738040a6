import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plot } from './figure.ts';
import { markdown } from './markdown.ts';
import { svg } from './plot.ts';
import type { Report } from './report.ts';

const dataOf = (dir: string) => join(dir, 'report.json');

/** The report that is in a folder; one without sections where there is none. */
export async function readReport(dir: string): Promise<Report> {
  const text = await readFile(dataOf(dir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{ "sections": {} }';
    throw error;
  });
  return JSON.parse(text) as Report;
}

/** Writes `report.md`, `report.json` and these plots as SVG. */
export async function writeReport(dir: string, report: Report, plots: readonly Plot[]): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'report.md'), markdown(report));
  await writeFile(dataOf(dir), `${JSON.stringify(report, rounded, 1)}\n`);
  for (const plot of plots) await writeFile(join(dir, `${plot.name}.svg`), svg(plot));
}

/** More digits would be noise, but for counts. */
const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
