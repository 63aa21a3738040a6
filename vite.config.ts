import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildEnvironment, EnvironmentOptions, ViteBuilder } from 'vite';
import { defineConfig } from 'vitest/config';
import { asset } from './scripts/build/asset.ts';
import { compressFirst } from './scripts/build/compress-first.ts';
import { frameDocuments } from './scripts/build/frame-document.ts';
import { lentModules, plainImports } from './scripts/build/parts.ts';
import { playgroundDocuments } from './scripts/build/playground-documents.ts';
import { precompress } from './scripts/build/precompress.ts';
import { languages } from './widget/app/i18n/languages.ts';

const widgetDir = 'dist/widget';
const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };

async function buildInMemory(builder: ViteBuilder, environment: BuildEnvironment) {
  const built = await builder.build(environment);
  if (Array.isArray(built) || !('output' in built))
    throw new Error(`${environment.name}: expected one output`);
  const script = built.output.find((file) => file.type === 'chunk');
  const style = built.output.find((file) => file.type === 'asset' && file.fileName.endsWith('.css'));
  if (!script) throw new Error(`${environment.name}: no script was built`);
  return { script: script.code, style: style?.type === 'asset' ? String(style.source) : '' };
}

/** Loader, proof-of-work worker, frame documents, playground and the manifest that the BFF serves them by. */
async function buildWidget(builder: ViteBuilder): Promise<void> {
  const { client, rest, account, loader, guest, proof, playground } = builder.environments;
  const app = await buildInMemory(builder, client!);
  const parts = {
    rest: (await buildInMemory(builder, rest!)).script,
    account: (await buildInMemory(builder, account!)).script,
  };
  const { documents, csp } = frameDocuments({ ...app, ...parts }, languages);
  const lazy = asset('guest', (await buildInMemory(builder, guest!)).script);
  const core = await buildInMemory(builder, loader!);
  const worker = await buildInMemory(builder, proof!);
  const tryOut = await playgroundDocuments(await buildInMemory(builder, playground!), languages);
  await rm(widgetDir, { recursive: true, force: true });
  await mkdir(join(widgetDir, 'assets'), { recursive: true });
  const tags = documents.map(({ tag }) => tag);
  const manifest = { version, languages: tags, csp, playground: tryOut.csp };
  await Promise.all([
    ...documents.map(({ tag, html }) => writeFile(join(widgetDir, `frame.${tag}.html`), html)),
    ...[lazy, ...documents.flatMap(({ assets }) => assets)].map(({ path, code }) =>
      writeFile(join(widgetDir, path), code),
    ),
    writeFile(join(widgetDir, 'playground.html'), tryOut.playground),
    writeFile(join(widgetDir, 'playground-sample.html'), tryOut.sample),
    writeFile(
      join(widgetDir, 'widget.js'),
      core.script.replace('__GUEST_PATH__', JSON.stringify(`${lazy.path}?`)),
    ),
    writeFile(join(widgetDir, 'proof-worker.js'), worker.script),
    writeFile(join(widgetDir, 'manifest.json'), JSON.stringify(manifest)),
  ]);
  await precompress(widgetDir);
  await precompress(join(widgetDir, 'assets'));
}

const browser = (input: string, format: 'iife' | 'es' = 'iife'): EnvironmentOptions => ({
  consumer: 'client',
  build: {
    write: false,
    copyPublicDir: false,
    modulePreload: false,
    cssCodeSplit: false,
    target: 'es2022',
    // Without these the CSS minifier writes a fallback for light-dark() and doubles the colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Slower than Vite's own, and 1.5 % smaller.
    minify: 'terser',
    terserOptions: { ecma: 2020, module: true, compress: { passes: 3, keep_fargs: false, hoist_funs: true } },
    rolldownOptions: {
      input,
      preserveEntrySignatures: 'strict',
      checks: { pluginTimings: false },
      output: { format, codeSplitting: false },
    },
  },
});

/** Everything bundled but better-sqlite3, which is native. */
const server = (room: string): EnvironmentOptions => ({
  consumer: 'server',
  resolve: { noExternal: true, external: ['better-sqlite3'] },
  build: {
    outDir: `dist/${room}`,
    emptyOutDir: true,
    copyPublicDir: false,
    ssr: true,
    target: 'node20',
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: { main: `${room}/main.ts` },
      output: { format: 'es', entryFileNames: '[name].js', codeSplitting: false },
    },
  },
});

const unit = (
  name: string,
  environment: 'node' | 'happy-dom',
  include: string[],
  // What hangs fails all the same; a busy machine is no fault.
  testTimeout = 30_000,
) => ({
  extends: true as const,
  test: { name, environment, include, testTimeout, css: true },
});

export default defineConfig({
  appType: 'custom',
  define: { __DESKSIDE_VERSION__: JSON.stringify(version), __FAILPOINTS__: 'false' },
  builder: {
    async buildApp(builder) {
      await buildWidget(builder);
      await builder.build(builder.environments['bff']!);
      await builder.build(builder.environments['service']!);
    },
  },
  plugins: [plainImports, lentModules, compressFirst],
  environments: {
    client: browser('widget/app/main.tsx'),
    rest: browser('widget/app/rest.ts', 'es'),
    account: browser('widget/app/account/main.tsx', 'es'),
    loader: browser('widget/loader/main.ts'),
    guest: browser('widget/loader/deferred/main.ts', 'es'),
    proof: browser('widget/proof/worker.ts'),
    playground: browser('widget/playground/main.tsx'),
    bff: server('bff'),
    service: server('service'),
  },
  test: {
    // As many as the cores of a small machine: Vitest leaves one of them idle.
    maxWorkers: 2,
    projects: [
      unit('bff', 'node', ['bff/**/*.test.ts']),
      unit('service', 'node', ['service/**/*.test.{ts,tsx}']),
      unit('widget', 'happy-dom', ['widget/**/*.test.{ts,tsx}']),
      unit('repo', 'node', ['scripts/**/*.test.ts', 'demo/**/*.test.ts']),
      unit('faults', 'node', ['e2e/faults/**/*.test.ts'], 180_000),
    ],
  },
});
