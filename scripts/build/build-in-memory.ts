import type { BuildEnvironment, ViteBuilder } from 'vite';

/** The file of a build that names the packages in it, with their licences. */
export const licenceFile = 'THIRD-PARTY-LICENSES.md';

export type Built = Awaited<ReturnType<typeof buildInMemory>>;

/** Builds the files for browsers. Nothing is written: the caller decides which files to write. */
export async function buildInMemory(builder: ViteBuilder, environment: BuildEnvironment) {
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
    licences: sourceOf(licenceFile),
  };
}
