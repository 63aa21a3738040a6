import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { screens } from '../screens.ts';
import { variants } from '../variants.ts';

const dir = 'e2e/screens/pictures';
const target = 'dist/contact-sheet.html';

async function cell(screen: string, variant: string): Promise<string> {
  const file = join(dir, `${screen}-${variant}.png`);
  if (!existsSync(file)) return '<td>no picture</td>';
  const source = `data:image/png;base64,${(await readFile(file)).toString('base64')}`;
  return `<td><img loading="lazy" alt="${screen}, ${variant}" src="${source}"></td>`;
}

const rows = await Promise.all(
  screens.map(async ({ name }) => {
    const cells = await Promise.all(variants.map((variant) => cell(name, variant.name)));
    return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`;
  }),
);
const heads = variants.map(({ name }) => `<th scope="col">${name}</th>`).join('');

await mkdir('dist', { recursive: true });
await writeFile(
  target,
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Deskside: every screen</title>
<style>
  body { margin: 0; font: 14px system-ui; background: #e9e9ee; color: #16171b }
  thead th { position: sticky; top: 0; padding: 12px; background: #e9e9ee }
  tbody th { position: sticky; left: 0; padding: 12px; text-align: left; background: #e9e9ee }
  td { padding: 8px; vertical-align: top }
  img { display: block; width: 320px; border-radius: 8px; box-shadow: 0 1px 6px #0003 }
</style>
<table><thead><tr><td></td>${heads}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
</html>
`,
);
console.log(`${screens.length} screens in ${variants.length} ways: ${target}`);
