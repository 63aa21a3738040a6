import { createHash } from 'node:crypto';
import { parted } from '../../widget/app/i18n/account.ts';
import type { Language } from '../../widget/app/i18n/languages.ts';
import { asset } from './asset.ts';

export const cspHash = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** SECURITY: inside a script or style element these are the only sequences that can end it early. */
export const inlineSafe = (content: string) =>
  content.replace(/<\/(?=script|style)/gi, '<\\/').replace(/<!--/g, '<\\!--');

interface App {
  script: string;
  style: string;
  /** ES modules that the script imports: the views of a customer who has tickets, and what few customers need. */
  tickets: string;
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
  const tickets = asset('tickets', app.tickets.trim());
  const documents = languages.map(({ tag, dir, sentences }) => {
    const { document, account: own } = parted(sentences);
    const account = asset('account', `export const sentences=${JSON.stringify(own)};${app.account.trim()}`);
    const html =
      `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content">' +
      `<link rel="icon" href="data:,"><link rel="modulepreload" href="${tickets.path}">` +
      `<title>${sentences.support}</title><style>${style}</style></head><body>` +
      `<div id="app" data-tickets="${tickets.path}" data-account="${account.path}"></div>` +
      `<script type="application/json" id="sentences">${JSON.stringify(document).replaceAll('<', '\\u003c')}</script>` +
      `<script type="module">${script}</script></body></html>`;
    return { tag, html, assets: [tickets, account] };
  });
  return { documents, csp: { script: cspHash(script), style: cspHash(style) } };
}
