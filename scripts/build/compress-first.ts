import { minify, type Plugin } from 'vite';

/**
 * Runs Vite's own minifier on the code for browsers before terser. It replaces every `const` by `let`. Terser does not,
 * and joins only declarations of the same kind.
 */
export const compressFirst: Plugin = {
  name: 'compress-first',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
  async renderChunk(code, { fileName }) {
    return minify(fileName, code, { compress: { target: 'es2022' }, mangle: false, codegen: false });
  },
};
