import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plot } from './figure.ts';
import { markdown } from './markdown.ts';
import { svg } from './plot.ts';
import { parseReport, type Report } from './report.ts';

const dataOf = (dir: string) => join(dir, 'report.json');

/**
 * The report in this file.
 * @throws when there is none, or none of this form; the message names the file
 */
export async function readReportFile(file: string): Promise<Report> {
  const text = await readFile(file, 'utf8');
  try {
    return parseReport(text);
  } catch (error) {
    throw new Error(`${file} cannot be read as a report`, { cause: error });
  }
}

/**
 * The report that is in a folder; an empty one where there is none.
 * @throws when its file is broken or of an older form
 */
export async function readReport(dir: string): Promise<Report> {
  return readReportFile(dataOf(dir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return { sections: {} };
    throw error;
  });
}

/** A run that is ended meanwhile leaves the old file, never half of the new one. */
async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** Writes `report.md`, `report.json` and these plots as SVG. */
export async function writeReport(dir: string, report: Report, plots: readonly Plot[]): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeWhole(join(dir, 'report.md'), markdown(report));
  await writeWhole(dataOf(dir), `${JSON.stringify(report, rounded, 1)}\n`);
  for (const plot of plots) await writeWhole(join(dir, `${plot.name}.svg`), svg(plot));
}

/** More digits would be noise, except in counts. */
const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
