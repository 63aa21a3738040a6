import { minify, type Plugin } from 'vite';

/**
 * Lets Vite's own minifier go over browsers' code before terser does. It writes `let` for every `const`; terser never does,
 * and joins declarations only of one kind.
 */
export const compressFirst: Plugin = {
  name: 'compress-first',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
  async renderChunk(code, { fileName }) {
    return minify(fileName, code, { compress: { target: 'es2022' }, mangle: false, codegen: false });
  },
};
