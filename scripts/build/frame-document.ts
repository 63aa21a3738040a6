import { createHash } from 'node:crypto';
import { parted } from '../../widget/app/i18n/parts.ts';
import type { Language } from '../../widget/app/i18n/languages.ts';
import { type Asset, asset } from './asset.ts';

export const cspHash = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** SECURITY: inside a script or style element these are the only sequences that can end it early. */
export const inlineSafe = (content: string) =>
  content.replace(/<\/(?=script|style)/gi, '<\\/').replace(/<!--/g, '<\\!--');

interface App {
  script: string;
  style: string;
  /** ES modules that the script imports: what the first paint does without, and what few customers need. */
  rest: string;
  account: string;
}

/**
 * One HTML document per language, self-contained up to the first paint, with the scripts that it imports after it, and
 * the CSP sources that admit what stands in it. The sentences stand in a data block, which CSP does not count as a
 * script: so all languages share one pair of hashes.
 */
export function frameDocuments(app: App, languages: readonly Language[]) {
  const script = inlineSafe(app.script.trim());
  // Vite ends the style of a build with a mark of its own.
  const style = inlineSafe(app.style.replace(/\/\*\$vite\$:\d+\*\//, '').trim());
  const documents = languages.map(({ tag, dir, sentences }) => {
    const { document, ...own } = parted(sentences);
    const [rest, account] = (['rest', 'account'] as const).map((name) =>
      asset(`${name}.${tag}`, `export const sentences=${JSON.stringify(own[name])};${app[name].trim()}`),
    ) as [Asset, Asset];
    const html =
      `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content">' +
      `<link rel="icon" href="data:,"><link rel="modulepreload" href="${rest.path}">` +
      `<title>${sentences.support}</title><style>${style}</style></head><body>` +
      `<div id="app" data-rest="${rest.path}" data-account="${account.path}"></div>` +
      `<script type="application/json" id="sentences">${JSON.stringify(document).replaceAll('<', '\\u003c')}</script>` +
      `<script type="module">${script}</script></body></html>`;
    return { tag, html, assets: [rest, account] };
  });
  return { documents, csp: { script: cspHash(script), style: cspHash(style) } };
}
