import type { Site } from '../../contract/site.ts';
import { paths } from '../../contract/paths.ts';
import { type Asset, type Assets, types } from './assets.ts';
import { compressedNow } from './compress.ts';

/**
 * How long a document is reused before `siteOf` is called again. The app itself applies changes that are due meanwhile.
 */
const freshMs = 60_000;
const app = { begin: '<div id="app">', end: '</div><script>' };
const sentences = '<script type="application/json" id="sentences">';

const textOf = ({ bodies }: Asset) => Buffer.from(bodies.get('identity')!).toString('utf8');

/** A document with `home` in place of the form. */
function withHome(document: string, home: string): string {
  const begin = document.indexOf(app.begin) + app.begin.length;
  return document.slice(0, begin) + home + document.slice(document.indexOf(app.end, begin));
}

/** The app's document of a language, by its tag. */
export type DocumentOf = (tag: string) => Asset;

export const builtDocuments =
  ({ files }: Assets): DocumentOf =>
  (tag) =>
    files.get(`frame.${tag}.html`)!;

/**
 * The documents with the settings of this BFF. They are added as a data block, and as links to the scripts that read
 * it. If there are articles, customers begin with another view than the form. Each document is made when it is first
 * requested, and again when the result of `siteOf` changes. `elapsed`: milliseconds.
 */
export function documentsWithSite(
  assets: Assets,
  siteOf: (tag: string) => Site,
  elapsed: () => number,
): DocumentOf {
  const built = builtDocuments(assets);
  const names = [...assets.imports.keys()];
  const preload = (script: string) => {
    const name = names.find((each) => each.startsWith(`${script}-`));
    return `<link rel="modulepreload" href="${paths.assets}/${name}">`;
  };
  const made = new Map<string, { block: string; asset: Asset; at: number }>();
  return (tag) => {
    const known = made.get(tag);
    if (known && elapsed() - known.at < freshMs) return known.asset;
    const site = siteOf(tag);
    const block = JSON.stringify(site).replaceAll('<', '\\u003c');
    if (known?.block === block) {
      known.at = elapsed();
      return known.asset;
    }
    const preloads = [
      preload('site'),
      ...(site.form ? [preload('form')] : []),
      ...(site.articles ? [preload('articles')] : []),
    ];
    const document = textOf(built(tag));
    const home = site.articles && textOf(assets.files.get(`home.${tag}.html`)!);
    const html = (home === undefined ? document : withHome(document, home))
      .replace('<title>', `${preloads.join('')}<title>`)
      .replace(sentences, () => `<script type="application/json" id="site">${block}</script>${sentences}`);
    const asset = compressedNow(types.html, html);
    made.set(tag, { block, asset, at: elapsed() });
    return asset;
  };
}
