import { createHash } from 'node:crypto';
import { paths } from '../../bff/contract/paths.ts';
import { parted } from '../../widget/app/i18n/account.ts';
import type { Language } from '../../widget/app/i18n/languages.ts';

const hash = (content: string) => createHash('sha256').update(content).digest();
const cspHash = (content: string) => `'sha256-${hash(content).toString('base64')}'`;

/** SECURITY: inside a script or style element these are the only sequences that can end it early. */
const inlineSafe = (content: string) =>
  content.replace(/<\/(?=script|style)/gi, '<\\/').replace(/<!--/g, '<\\!--');

interface App {
  script: string;
  style: string;
  /** An ES module, fetched when a customer first needs it. */
  account: string;
}

/**
 * One self-contained HTML document per language with the script that it fetches later, and the CSP sources that admit
 * what stands in it. The sentences stand in a data block, which CSP does not count as a script: so all languages share
 * one pair of hashes.
 */
export function frameDocuments({ script, style, account }: App, languages: readonly Language[]) {
  const code = inlineSafe(script.trim());
  const css = inlineSafe(style.trim());
  const documents = languages.map(({ tag, dir, sentences: all }) => {
    const sentences = parted(all);
    const later = `export const sentences=${JSON.stringify(sentences.account)};${account.trim()}`;
    const asset = `account-${hash(later).toString('base64url').slice(0, 16)}.js`;
    const html =
      `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content">' +
      '<link rel="icon" href="data:,">' +
      `<title>${all.support}</title><style>${css}</style></head><body>` +
      `<div id="app" data-account="${paths.assets}/${asset}"></div>` +
      `<script type="application/json" id="sentences">${JSON.stringify(sentences.document).replaceAll('<', '\\u003c')}</script>` +
      `<script type="module">${code}</script></body></html>`;
    return { tag, html, asset, later };
  });
  return { documents, csp: { script: cspHash(code), style: cspHash(css) } };
}
