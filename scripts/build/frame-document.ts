import { createHash } from 'node:crypto';
import type { Language } from '../../shared/i18n/languages.ts';
import { panelSentences } from '../../shared/i18n/sentences.ts';

export const cspHash = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/** SECURITY: inside a script or style element these are the only sequences that can end it early. */
export const inlineSafe = (content: string) =>
  content.replace(/<\/(?=script|style)/gi, '<\\/').replace(/<!--/g, '<\\!--');

/** The HTML that `widget/app/prerender.tsx` renders at build time. */
export interface FirstViews {
  /** The form as the app draws it for a new customer. */
  renderForm: (language: Language) => string;
  /** The start view where there are articles, as far as it is the same for everybody. */
  renderHome: (language: Language) => string;
}

interface FrameParts extends FirstViews {
  /** Parts of the document itself. */
  inlineScript: string;
  style: string;
  /** The address of the entry module, relative like the following: the BFF may be under a path. */
  entry: string;
  /** Of the modules that the entry imports at once. */
  preloads: string[];
  /** Of the modules that returning customers need at once. */
  returning: string[];
}

/**
 * One HTML document per language, the start view with which the BFF replaces the form when there are articles, and the
 * CSP sources that admit the document's scripts and style. The sentences are in a data block, which CSP does not count as a script, so all languages share one pair of
 * hashes.
 */
export function frameDocuments(contents: FrameParts, languages: readonly Language[]) {
  const script = inlineSafe(contents.inlineScript.trim());
  // Vite adds its own marker at the end of a build's style.
  const style = inlineSafe(contents.style.replace(/\/\*\$vite\$:\d+\*\//, '').trim());
  const preloads = contents.preloads.map((path) => `<link rel="modulepreload" href="${path}">`).join('');
  // Links without `rel` are not fetched. The inline script fetches them when they are needed at once.
  const returning = contents.returning.map((path) => `<link class="returning" href="${path}">`).join('');
  const documents = languages.map((language) => {
    const { tag, dir, sentences } = language;
    const data = JSON.stringify(panelSentences(sentences)).replaceAll('<', '\\u003c');
    const html =
      `<!doctype html><html lang="${tag}" dir="${dir}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content">' +
      `<link rel="icon" href="data:,"><script type="module" src="${contents.entry}"></script>${preloads}${returning}` +
      `<title>${sentences.support}</title><style>${style}</style></head><body>` +
      `<div id="app">${contents.renderForm(language)}</div><script>${script}</script>` +
      `<script type="application/json" id="sentences">${data}</script>` +
      '</body></html>';
    return { tag, html, home: contents.renderHome(language) };
  });
  return { documents, csp: { script: cspHash(script), style: cspHash(style) } };
}

/** The document of the app without its views; `entry`: path of its module. */
export const headlessDocument = (entry: string) =>
  '<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"><title>Support</title>' +
  `<script type="module" src="${entry}"></script></head><body></body></html>`;
