import type { Plugin } from 'vite';

/** The call that Vite writes around `import()`, here with the selection of the exports that are used. */
const picked =
  /__vitePreload\(async \(\) => \{\s*const (\{ [\w, ]+ \}) = await (import\([^()]*\));\s*return \1;\s*\}, __VITE_PRELOAD__\)/g;
/** Vite's helper: where it is defined, and where it is imported or exported. */
const helper = /var __vitePreload = \(load\) => load\(\);|\b\w+ as __vitePreload,?|__vitePreload as \w+,?/g;

/**
 * Keeps `import()` unchanged. Vite's helper would fetch styles along with a script; here each script brings its own.
 */
export const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  applyToEnvironment: ({ config }) => config.consumer === 'client',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
  renderChunk: {
    order: 'pre',
    handler: (code) =>
      code
        .replaceAll(picked, '$2')
        .replaceAll(helper, '')
        .replaceAll('__vitePreload(', '(')
        .replaceAll(', __VITE_PRELOAD__)', ')()'),
  },
};
