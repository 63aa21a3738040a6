import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exampleEnvFile } from '../cli/env-file.ts';
import { settings } from '../config.ts';

/** `npx vitest run --project bff bff/extras/written-files.test.ts --update` writes this file and docs/settings.md. */
it('.env.example is generated from the table of settings', async () => {
  await expect(exampleEnvFile()).toMatchFileSnapshot('../../.env.example');
});

/** A value as code, and words as they are. */
const shown = (fallback: string) =>
  fallback.includes(' ') || fallback === 'required' ? fallback : `\`${fallback}\``;

it('docs/settings.md lists all settings', async () => {
  const headings = [...new Set(settings.map(({ heading }) => heading))];
  const lists = headings.map((heading) => {
    const lines = settings
      .filter((setting) => setting.heading === heading)
      .map(
        ({ name, fallback, about }) => `- **\`${name}\`**${fallback && ` (${shown(fallback)})`}: ${about}`,
      );
    return `## ${heading}\n\n${lines.join('\n')}`;
  });
  const page = readFileSync('docs/settings.md', 'utf8');
  const [before, , after] = page.split(/<!-- (?:begin|end) of lists -->/);
  await expect(
    `${before}<!-- begin of lists -->\n\n${lists.join('\n\n')}\n\n<!-- end of lists -->${after}`,
  ).toMatchFileSnapshot('../../docs/settings.md');
});
