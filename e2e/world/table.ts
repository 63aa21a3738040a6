import { readFile, writeFile } from 'node:fs/promises';
import { run } from '../../scripts/run.ts';
import { type Results, stepNames } from './journey.ts';

export interface Row {
  host: string;
  version: string;
  recipe: string;
  date: string;
  results: Results;
  note: string;
}

const file = 'docs/compatibility.md';
const intro = `# Compatibility

[\`npm run world\`](testing.md#real-websites) writes this page. On each website a customer opens the panel, finds a draft on
another page, sends it, gets an answer, and uses the panel above a modal dialog of the site. Then \`Deskside('destroy')\` must
leave nothing, and the console has no error. Each line has the version, the recipe of [embedding.md](embedding.md) if not the
tag alone, and the date.
`;

function lineOf({ host, version, recipe, results, date, note }: Row): string {
  const failed = stepNames.filter((name) => results[name] !== null);
  const result = failed.length === 0 ? '' : `**fails** (${failed.join(', ')}), `;
  const named = [`**${host}**`, version, recipe !== 'Embedding' && `(${recipe})`].filter(Boolean).join(' ');
  return `- ${named}: ${result}${date}${note && `; ${note}`}`;
}

/** Replaces the lines of these hosts, and keeps the others. `order` has all hosts. */
export async function writeTable(rows: Row[], order: string[]): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '');
  const lines = new Map(
    [...before.matchAll(/^- \*\*(.+?)\*\*.*$/gm)].map(([whole, host]) => [host!, whole] as const),
  );
  for (const row of rows) lines.set(row.host, lineOf(row));
  await writeFile(file, [intro, ...order.flatMap((name) => lines.get(name) ?? []), ''].join('\n'));
  await run('oxfmt', [file]);
}
