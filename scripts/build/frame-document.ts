import { createHash } from 'node:crypto';
import type { Language } from '../../widget/app/i18n/languages.ts';

export const cspHash = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** SECURITY: inside a script or style element these are the only sequences that can end it early. */
export const inlineSafe = (content: string) =>
  content.replace(/<\/(?=script|style)/gi, '<\\/').replace(/<!--/g, '<\\!--');

/**
 * One self-contained HTML document per language, and the CSP sources that admit its script and style. The sentences
 * stand in a data block, which CSP does not count as a script: so all languages share one pair of hashes.
 */
export function frameDocuments(script: string, style: string, languages: readonly Language[]) {
  const code = inlineSafe(script.trim());
  const css = inlineSafe(style.trim());
  const documents = languages.map(({ tag, dir, sentences }) => ({
    tag,
    html:
      `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content">' +
      '<link rel="icon" href="data:,">' +
      `<title>${sentences.support}</title><style>${css}</style></head><body><div id="app"></div>` +
      `<script type="application/json" id="sentences">${JSON.stringify(sentences).replaceAll('<', '\\u003c')}</script>` +
      `<script type="module">${code}</script></body></html>`,
  }));
  return { documents, csp: { script: cspHash(code), style: cspHash(css) } };
}
