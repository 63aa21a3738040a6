import { readFile } from 'node:fs/promises';
import { cspHash, inlineSafe } from './frame-document.ts';

/**
 * The playground and the sample site in it, each with its style inside, and the CSP sources that admit them. The list
 * of languages is in a data block, which CSP does not count as a script.
 */
export async function playgroundDocuments(
  app: { script: string; style: string },
  languages: readonly { tag: string }[],
) {
  const code = inlineSafe(app.script.trim());
  const css = inlineSafe(app.style.trim());
  const sample = await readFile('widget/playground/sample.html', 'utf8');
  const sampleStyle = /<style>([^]*?)<\/style>/.exec(sample)![1]!;
  const playground =
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<link rel="icon" href="data:,"><meta name="color-scheme" content="light dark">' +
    `<title>Deskside playground</title><style>${css}</style></head><body><div id="app"></div>` +
    `<script type="application/json" id="languages">${JSON.stringify(languages.map(({ tag }) => tag))}</script>` +
    `<script type="module">${code}</script></body></html>`;
  return {
    playground,
    sample,
    csp: {
      playground: { script: cspHash(code), style: cspHash(css) },
      sample: { script: "'self'", style: cspHash(sampleStyle) },
    },
  };
}
