import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';

/** A replacement of one piece of source text in a mutant. */
export interface Mutation {
  /** From the root of the repository. */
  file: string;
  from: string;
  to: string;
}

export interface FaultBuild {
  /** The BFF with its failpoints. */
  bff: string;
  service: string;
  /** As `node --import` takes it. */
  clock: string;
  /** The same for what lets the disk be full. */
  disk: string;
  remove(): Promise<void>;
}

/** Replaces each text. A text that is not there exactly once fails the build. */
function mutate(mutations: readonly Mutation[]): Plugin {
  const done = new Set<Mutation>();
  return {
    name: 'mutate',
    enforce: 'pre',
    transform(code, id) {
      let mutated = code;
      for (const mutation of mutations.filter(({ file }) => id === resolve(file))) {
        const parts = mutated.split(mutation.from);
        if (parts.length !== 2)
          throw new Error(`${mutation.file} holds ${parts.length - 1} times: ${mutation.from}`);
        mutated = parts.join(mutation.to);
        done.add(mutation);
      }
      return mutated;
    },
    buildEnd(error) {
      const missed = mutations.find((mutation) => !done.has(mutation));
      if (!error && missed) throw new Error(`${missed.file} is not part of the BFF any more`);
    },
  };
}

const bundle = (entry: string, outDir: string, fileName: string, plugins: Plugin[] = []) =>
  build({
    configFile: false,
    logLevel: 'warn',
    plugins,
    define: { __FAILPOINTS__: 'true' },
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: true,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: entry,
        output: { format: 'es', entryFileNames: fileName, codeSplitting: false },
      },
    },
  });

/** Builds a module into this folder; answers it as `node --import` takes it. */
async function buildPreload(entry: string, outDir: string): Promise<string> {
  await bundle(entry, outDir, 'preload.js');
  return pathToFileURL(join(outDir, 'preload.js')).href;
}
export const buildClock = (outDir: string) => buildPreload('e2e/faults/time/clock.ts', outDir);

/**
 * Builds the BFF with its failpoints, and the clock that it runs by. `dist/` must be built: service and widget come from it.
 * @throws when a mutation does not apply exactly once
 */
export async function buildForFaults(mutations: readonly Mutation[] = []): Promise<FaultBuild> {
  await mkdir('dist-faults', { recursive: true });
  const dir = resolve(await mkdtemp('dist-faults/build-'));
  // The BFF looks for the widget beside itself.
  const dist = join(dir, 'dist');
  await bundle('bff/main.ts', join(dist, 'bff'), 'main.js', [mutate(mutations)]);
  await symlink(resolve('dist/widget'), join(dist, 'widget'));
  return {
    bff: join(dist, 'bff/main.js'),
    service: resolve('dist/service/main.js'),
    clock: await buildClock(join(dist, 'clock')),
    disk: await buildPreload('e2e/faults/servers/disk.ts', join(dist, 'disk')),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
