import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { EnvironmentOptions } from 'vite';
import { defineConfig } from 'vitest/config';
import { licenceFile } from './scripts/build/build-in-memory.ts';
import { compressFirst } from './scripts/build/compress-first.ts';
import { launcherSentences } from './scripts/build/launcher-sentences.ts';
import { noHooks } from './scripts/build/no-hooks.ts';
import { noParseErrors } from './scripts/build/no-parse-errors.ts';
import { plainImports } from './scripts/build/plain-imports.ts';
import { shortNames } from './scripts/build/short-names.ts';
import { widgetFiles } from './scripts/build/widget-files.ts';
import { writeFiles } from './scripts/build/write-files.ts';
import { languages } from './shared/i18n/languages.ts';
import { projects } from './vitest.projects.ts';

const launcher = launcherSentences(languages);
/** Browsers may keep a script for good: its name changes with its content. */
const scriptNames = 'assets/[name]-[hash].js';
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

/** The oldest browsers that the widget is built for and tried in; docs/embedding.md names them. */
const oldestBrowsers = ['chrome111', 'firefox115', 'safari16.4'];

/** Builds a script for browsers: one file or, with `chunks`, an entry module and the modules that it imports. */
const browser = (
  input: string | Record<string, string>,
  output: 'iife' | 'es' | 'chunks' = 'iife',
): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    // `widgetFiles` makes the files of dist/widget of what is built.
    write: false,
    license: { fileName: licenceFile },
    copyPublicDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    target: oldestBrowsers,
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
        hoist_funs: output === 'iife',
      },
    },
    rolldownOptions: {
      input,
      checks: { pluginTimings: false },
      ...(output === 'chunks'
        ? {
            preserveEntrySignatures: 'allow-extension' as const,
            output: {
              entryFileNames: scriptNames,
              chunkFileNames: scriptNames,
              hashCharacters: 'base64',
              codeSplitting: {
                groups: [
                  { name: 'app', test: /\/widget\/app\/(main\.tsx|ui\/Button|browser\/page)/ },
                  {
                    name: 'conversation',
                    test: /\/widget\/app\/(conversation\.ts|ui\/TaskStatus|browser\/save-file)/,
                  },
                ],
              },
            },
          }
        : {
            preserveEntrySignatures: 'strict' as const,
            output: { format: output, codeSplitting: false },
          }),
    },
  },
});

/** The threads of the folders in this one, each a file of its own: `articles-thread.js` of `articles/thread.ts`. */
const threadsOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder)
      .map((name) => [`${name}-thread`, `${folder}/${name}/thread.ts`] as const)
      .filter(([, file]) => existsSync(file)),
  );

/** Builds a server with all of its packages, except better-sqlite3, which is native. */
const server = (folder: string, threads?: Record<string, string>): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true, external: ['better-sqlite3'] },
  build: {
    outDir: `dist/${folder}`,
    license: { fileName: licenceFile },
    emptyOutDir: true,
    copyPublicDir: false,
    ssr: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: { main: `${folder}/main.ts`, ...threads },
      // The commands of the BFF are chunks, so that the server does not load them.
      output: {
        format: 'es',
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // With one character outside Latin-1, a file would take twice the memory for as long as the server runs.
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
    __ENGLISH__: JSON.stringify({ ...launcher['en-Latn'], unread: undefined }),
    __LAUNCHER_SENTENCES__: JSON.stringify(launcher),
  },
  builder: {
    async buildApp(builder) {
      await writeFiles('dist/widget', await widgetFiles(builder, version));
      await builder.build(builder.environments['bff']!);
      await builder.build(builder.environments['service']!);
    },
  },
  plugins: [plainImports, noHooks, noParseErrors, compressFirst],
  environments: {
    client: browser({ app: 'widget/app/main.tsx' }, 'chunks'),
    inline: browser('widget/app/inline.ts'),
    loader: browser('widget/loader/main.ts'),
    pinned: browser('widget/loader/pinned.ts'),
    deferred: browser('widget/loader/deferred/main.ts', 'es'),
    proof: browser('widget/proof/worker.ts'),
    headless: browser('widget/headless/main.ts', 'es'),
    playground: browser('widget/playground/main.tsx'),
    bff: server('bff', threadsOf('bff/extras')),
    service: server('service'),
  },
  test: {
    // As many as the cores of a small machine: Vitest leaves one of them idle.
    maxWorkers: 2,
    // What is read later is the end of a log: the failures, without what tests that passed have printed.
    silent: 'passed-only',
    reporters: process.stdout.isTTY ? 'default' : 'minimal',
    // A busy machine may end a lease or a connection that a test needs. What fails twice is a fault.
    retry: 1,
    projects,
  },
});
