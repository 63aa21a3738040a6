import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { markdown } from './markdown.ts';
import { svg } from './plot.ts';
import type { Report } from './report.ts';

/** Writes `report.md`, `report.json` and each plot as SVG. */
export async function writeReport(dir: string, report: Report): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'report.md'), markdown(report));
  await writeFile(join(dir, 'report.json'), `${JSON.stringify(report, rounded, 1)}\n`);
  for (const { plots } of Object.values(report.sections))
    for (const plot of plots) await writeFile(join(dir, `${plot.name}.svg`), svg(plot));
}

/** More digits would be noise. */
const rounded = (_key: string, value: unknown) =>
  typeof value === 'number' ? Number(value.toPrecision(5)) : value;
