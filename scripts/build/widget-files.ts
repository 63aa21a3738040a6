import type { ViteBuilder } from 'vite';
import { languages } from '../../shared/i18n/languages.ts';
import { asset } from './asset.ts';
import { buildInMemory } from './build-in-memory.ts';
import { cspHash, headlessDocument } from './frame-document.ts';
import { playgroundDocuments } from './playground-documents.ts';
import { prerenderFrames } from './prerender-frames.ts';

/**
 * Asks the browser to compile all functions while the script arrives, in a thread of its own. Otherwise the page's thread
 * compiles each one when it is first called: a sixth of the loader's time in Chromium.
 */
const compileOnArrival = '//# allFunctionsCalledOnLoad\n';

/**
 * Builds the loader, the app and its frame documents, the proof-of-work worker, the playground, and the manifest by
 * which the BFF serves them. Returns the content of each file by its name.
 */
export async function widgetFiles(builder: ViteBuilder, version: string): Promise<Record<string, string>> {
  const build = (environment: string) => buildInMemory(builder, builder.environments[environment]!);
  const app = await build('client');
  const { documents, csp } = await prerenderFrames(app, await build('inline'));
  const deferred = asset('deferred', (await build('deferred')).entry.code);
  const loaderOf = async (environment: string) =>
    compileOnArrival +
    (await build(environment)).entry.code
      .replace('__DEFERRED_PATH__', JSON.stringify(`${deferred.path}?`))
      .replace('__DEFERRED_HASH__', JSON.stringify(cspHash(deferred.code).slice(1, -1)));
  const worker = await build('proof');
  const playground = await build('playground');
  const headless = await build('headless');
  const headlessScript = asset('headless', headless.entry.code);
  const pages = await playgroundDocuments(
    { script: playground.entry.code, style: playground.style },
    languages,
  );
  const tags = documents.map(({ tag }) => tag);
  const manifest = { version, languages: tags, csp, playground: pages.csp };
  return {
    ...Object.fromEntries(app.chunks.map(({ fileName, code }) => [fileName, code])),
    ...Object.fromEntries(documents.map(({ tag, html }) => [`frame.${tag}.html`, html])),
    ...Object.fromEntries(documents.map(({ tag, home }) => [`home.${tag}.html`, home])),
    [deferred.path]: deferred.code,
    'playground.html': pages.playground,
    'playground-sample.html': pages.sample,
    [headlessScript.path]: headlessScript.code,
    'headless.html': headlessDocument(`.${headlessScript.path}`),
    'widget.js': await loaderOf('loader'),
    'pinned.js': await loaderOf('pinned'),
    'proof-worker.js': worker.entry.code,
    'manifest.json': JSON.stringify(manifest),
    // The loader and its deferred script bundle no package.
    'licences/app.md': app.licences,
    'licences/headless.md': headless.licences,
    'licences/proof-worker.md': worker.licences,
    'licences/playground.md': playground.licences,
  };
}
