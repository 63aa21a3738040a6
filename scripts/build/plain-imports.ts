import type { Plugin } from 'vite';

/** Leaves `import()` as it is. Vite's helper would fetch styles along with a script; here each script brings its own. */
export const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
};
