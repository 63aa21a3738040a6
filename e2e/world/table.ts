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
const columns = ['host', 'version', 'recipe', ...stepNames, 'date', 'note'];

const intro = `# Compatibility

\`npm run world\` writes this page. It builds real websites with their own tools, puts the widget in by the recipes of
[embedding.md](embedding.md), and makes one journey on each in headless Chromium, with a real BFF and ticket service
([testing.md](testing.md#real-websites)).

- **open:** the launcher has its place and size, and opens the panel.
- **draft:** a text is half written when the customer goes to another page of the site, and is there afterwards.
- **ticket:** it is sent, and the ticket service has it.
- **answer:** an agent answers, and the answer appears.
- **dialog:** while a modal dialog of the site is open, the launcher opens the panel, what is typed lands in it, and the
  dialog stays.
- **destroy:** \`Deskside('destroy')\` leaves nothing on the page, and the site works on.

Each step fails also if there is an error in the browser's console.
`;

const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;

const cellsOf = ({ host, version, recipe, date, results, note }: Row) =>
  line([
    host,
    version,
    recipe,
    ...stepNames.map((name) => (results[name] === null ? 'ok' : '**fails**')),
    date,
    note,
  ]);

/** Replaces the rows of these hosts, and keeps the others. `order` has all hosts. */
export async function writeTable(rows: Row[], order: string[]): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '');
  const lines = new Map(
    before
      .split('\n')
      .filter((each) => each.startsWith('| '))
      .map((each) => [each.split('|')[1]!.trim(), each]),
  );
  for (const row of rows) lines.set(row.host, cellsOf(row));
  const table = [line(columns), line(columns.map(() => '---'))];
  await writeFile(file, [intro, ...table, ...order.flatMap((name) => lines.get(name) ?? []), ''].join('\n'));
  await run('oxfmt', [file]);
}
