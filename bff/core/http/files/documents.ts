import type { Brand, Site } from '../../../../shared/contract/site.ts';
import { paths } from '../../../../shared/contract/paths.ts';
import { type Asset, type Assets, types, compressedNow } from './assets.ts';

/**
 * How long a document is reused before `siteOf` is called again. The app itself applies changes that are due meanwhile.
 */
const freshMs = 60_000;
const app = { begin: '<div id="app">', end: '</div><script>' };

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

const json = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');
const block = (id: string, value: object) =>
  `<script type="application/json" id="${id}">${json(value)}</script>`;
const escaped = (text: string) => text.replace(/[&<"]/g, (char) => `&#${char.charCodeAt(0)};`);

/** A document with the brand, which its inline script reads before the first paint. */
function withBrand(document: string, brand: Brand): string {
  const { brand: name, color, logo } = brand;
  const theme = color === undefined ? '' : `<meta name="theme-color" content="${color}">`;
  const named = (title: string) => (name === undefined ? title : `<title>${escaped(name)}</title>`);
  return document
    .replace(/<title>[^<]*<\/title>/, (title) => theme + block('brand', brand) + named(title))
    .replace('rel="icon" href="data:,"', (icon) => (logo ? `rel="icon" href="${escaped(logo)}"` : icon));
}

/**
 * The documents with the settings of this BFF: the brand, and what `siteOf` adds. That is a data block, and links to the
 * scripts that read it. If there are articles, customers begin with another view than the form. Each document is made
 * when it is first requested, and again when the result of `siteOf` changes. `elapsed`: milliseconds.
 */
export function documentsWithSite(
  assets: Assets,
  { siteOf, brandOf }: { siteOf: ((tag: string) => Site) | null; brandOf: (tag: string) => Brand },
  elapsed: () => number,
): DocumentOf {
  const built = builtDocuments(assets);
  const names = [...assets.imports.keys()];
  const preload = (script: string) => {
    const name = names.find((each) => each.startsWith(`${script}-`));
    return `<link rel="modulepreload" href=".${paths.assets}/${name}">`;
  };
  const made = new Map<string, { site: string | null; asset: Asset; at: number }>();

  function withSite(tag: string, site: Site): string {
    const preloads = [
      preload('site'),
      ...(site.form ? [preload('form')] : []),
      ...(site.articles ? [preload('articles')] : []),
    ];
    const document = textOf(built(tag));
    const home = site.articles && textOf(assets.files.get(`home.${tag}.html`)!);
    // Before the inline script, which reads it.
    const added = preloads.join('') + block('site', site);
    return (home === undefined ? document : withHome(document, home)).replace(
      '<title>',
      (title) => added + title,
    );
  }

  return (tag) => {
    const known = made.get(tag);
    if (known && elapsed() - known.at < freshMs) return known.asset;
    const site = siteOf && siteOf(tag);
    const given = site && json(site);
    if (known?.site === given) {
      known.at = elapsed();
      return known.asset;
    }
    const html = withBrand(site ? withSite(tag, site) : textOf(built(tag)), brandOf(tag));
    const asset = compressedNow(types.html, html);
    made.set(tag, { site: given, asset, at: elapsed() });
    return asset;
  };
}
