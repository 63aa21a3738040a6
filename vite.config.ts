import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildEnvironment, type EnvironmentOptions, runnerImport, type ViteBuilder } from 'vite';
import { defineConfig } from 'vitest/config';
import { asset } from './scripts/build/asset.ts';
import { compressFirst } from './scripts/build/compress-first.ts';
import { frameDocuments, headlessDocument } from './scripts/build/frame-document.ts';
import { launcherSentences } from './scripts/build/launcher-sentences.ts';
import { noHooks } from './scripts/build/no-hooks.ts';
import { plainImports } from './scripts/build/plain-imports.ts';
import { playgroundDocuments } from './scripts/build/playground-documents.ts';
import { shortNames } from './scripts/build/short-names.ts';
import { precompress } from './scripts/build/precompress.ts';
import { languages } from './widget/i18n/languages.ts';
import type * as Prerender from './widget/app/prerender.tsx';
import { projects } from './vitest.projects.ts';

const widgetDir = 'dist/widget';
const launcher = launcherSentences(languages);
/** Browsers may keep a script for good: its name changes with its content. */
const scriptNames = 'assets/[name]-[hash].js';
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

/** Names the packages that a build bundles, with their licences. */
const licences = 'THIRD-PARTY-LICENSES.md';

/** Builds what a browser runs; the caller writes it. */
async function buildInMemory(builder: ViteBuilder, environment: BuildEnvironment) {
  const built = await builder.build(environment);
  if (Array.isArray(built) || !('output' in built))
    throw new Error(`${environment.name}: expected one output`);
  const chunks = built.output.filter((file) => file.type === 'chunk');
  const assets = built.output.filter((file) => file.type === 'asset');
  const sourceOf = (ending: string) =>
    String(assets.find(({ fileName }) => fileName.endsWith(ending))?.source ?? '');
  return {
    chunks,
    entry: chunks.find(({ isEntry }) => isEntry)!,
    style: sourceOf('.css'),
    licences: sourceOf(licences),
  };
}

/** Loader, app, frame documents, proof-of-work worker, playground, and the manifest that the BFF serves them by. */
async function buildWidget(builder: ViteBuilder): Promise<void> {
  const { client, inline, loader, deferred, headless, proof, playground } = builder.environments;
  const app = await buildInMemory(builder, client!);
  const { module } = await runnerImport<typeof Prerender>('./widget/app/prerender.tsx', {
    configFile: false,
    define: { 'navigator.platform': '""' },
  });
  const nameOf = (chunk: string) => app.chunks.find(({ name }) => name === chunk)!.fileName;
  const { documents, csp } = frameDocuments(
    {
      inlineScript: (await buildInMemory(builder, inline!)).entry.code,
      style: app.style,
      entry: `/${app.entry.fileName}`,
      known: `/${nameOf('known')}`,
      preloads: [...app.entry.imports, nameOf('conversation')].map((file) => `/${file}`),
      renderForm: module.renderForm,
      renderHome: module.renderHome,
    },
    languages,
  );
  const lazy = asset('deferred', (await buildInMemory(builder, deferred!)).entry.code);
  const core = await buildInMemory(builder, loader!);
  const worker = await buildInMemory(builder, proof!);
  const tryPage = await buildInMemory(builder, playground!);
  const silent = await buildInMemory(builder, headless!);
  const withoutViews = asset('headless', silent.entry.code);
  const tryOut = await playgroundDocuments({ script: tryPage.entry.code, style: tryPage.style }, languages);
  await rm(widgetDir, { recursive: true, force: true });
  await mkdir(join(widgetDir, 'assets'), { recursive: true });
  await mkdir(join(widgetDir, 'licences'));
  const tags = documents.map(({ tag }) => tag);
  const manifest = { version, languages: tags, csp, playground: tryOut.csp };
  const files: Record<string, string> = {
    ...Object.fromEntries(app.chunks.map(({ fileName, code }) => [fileName, code])),
    ...Object.fromEntries(documents.map(({ tag, html }) => [`frame.${tag}.html`, html])),
    ...Object.fromEntries(documents.map(({ tag, home }) => [`home.${tag}.html`, home])),
    ...Object.fromEntries(documents.map(({ later }) => [later.path, later.code])),
    [lazy.path]: lazy.code,
    'playground.html': tryOut.playground,
    'playground-sample.html': tryOut.sample,
    [withoutViews.path]: withoutViews.code,
    'headless.html': headlessDocument(withoutViews.path),
    'widget.js': core.entry.code.replace('__DEFERRED_PATH__', JSON.stringify(`${lazy.path}?`)),
    'proof-worker.js': worker.entry.code,
    'manifest.json': JSON.stringify(manifest),
    // The loader and its deferred script bundle no package.
    'licences/app.md': app.licences,
    'licences/headless.md': silent.licences,
    'licences/proof-worker.md': worker.licences,
    'licences/playground.md': tryPage.licences,
  };
  await Promise.all(
    Object.entries(files).map(([name, content]) => writeFile(join(widgetDir, name), content)),
  );
  await precompress(widgetDir);
  await precompress(join(widgetDir, 'assets'));
}

/** One script; with `chunks`, an entry module and what it imports. */
const browser = (
  input: string | Record<string, string>,
  output: 'iife' | 'es' | 'chunks' = 'iife',
): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    write: false,
    license: { fileName: licences },
    copyPublicDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    target: 'es2022',
    // Without these the CSS minifier writes a fallback for light-dark() and doubles the colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Slower than Vite's own, and 1.5 % smaller.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      module: true,
      mangle: output === 'chunks' ? { nth_identifier: shortNames } : true,
      compress: {
        passes: 3,
        keep_fargs: false,
        inline: 1,
        hoist_funs: output !== 'chunks',
        unsafe_arrows: output === 'iife',
      },
    },
    rolldownOptions: {
      input,
      checks: { pluginTimings: false },
      ...(output === 'chunks'
        ? {
            preserveEntrySignatures: 'allow-extension' as const,
            output: { entryFileNames: scriptNames, chunkFileNames: scriptNames, hashCharacters: 'base64' },
          }
        : {
            preserveEntrySignatures: 'strict' as const,
            output: { format: output, codeSplitting: false },
          }),
    },
  },
});

/** Everything bundled but better-sqlite3, which is native. */
const server = (folder: string): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true, external: ['better-sqlite3'] },
  build: {
    outDir: `dist/${folder}`,
    license: { fileName: licences },
    emptyOutDir: true,
    copyPublicDir: false,
    ssr: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: { main: `${folder}/main.ts` },
      // The commands of the BFF are chunks, so that the server does not load them.
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // One character outside Latin-1 doubles what a file takes in memory as long as the server runs.
        charset: 'ascii',
        comments: { legal: true, annotation: false, jsdoc: false },
      },
    },
  },
});

export default defineConfig({
  appType: 'custom',
  define: {
    __DESKSIDE_VERSION__: JSON.stringify(version),
    __FAILPOINTS__: 'false',
    'window.__PREACT_SIGNALS_DEVTOOLS__': 'false',
    __ENGLISH__: JSON.stringify({ ...launcher['en'], unread: undefined }),
    __LAUNCHER_SENTENCES__: JSON.stringify(launcher),
  },
  builder: {
    async buildApp(builder) {
      await buildWidget(builder);
      await builder.build(builder.environments['bff']!);
      await builder.build(builder.environments['service']!);
    },
  },
  plugins: [plainImports, noHooks, compressFirst],
  environments: {
    client: browser({ app: 'widget/app/main.tsx' }, 'chunks'),
    inline: browser('widget/app/inline.ts'),
    loader: browser('widget/loader/main.ts'),
    deferred: browser('widget/loader/deferred/main.ts', 'es'),
    proof: browser('widget/proof/worker.ts'),
    headless: browser('widget/headless/main.ts', 'es'),
    playground: browser('widget/playground/main.tsx'),
    bff: server('bff'),
    service: server('service'),
  },
  test: {
    // As many as the cores of a small machine: Vitest leaves one of them idle.
    maxWorkers: 2,
    projects,
  },
});
