import type { Plugin } from 'vite';

/** What the document lends to its parts (`widget/app/parts.ts`), by module: there is one copy of its state. */
const lent: Record<string, string> = {
  'preact/jsx-runtime': 'Fragment, jsx, jsxs',
  preact: 'Component',
  'widget/app/state/signal.ts': 'computed, effect, signal, untracked',
};

/** Environments that build a part of the app: a script that the frame document imports. */
export const partNames = ['rest', 'account'] as const;

/** Lets the parts use the document's own copies of Preact and of the signals. */
export const lentModules: Plugin = {
  name: 'lent-modules',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => (partNames as readonly string[]).includes(name),
  resolveId: (id) => (id in lent ? `\0lent/${id}` : null),
  load(id) {
    const module = Object.keys(lent).find((name) => id.endsWith(`/${name}`));
    return module ? `export const { ${lent[module]} } = globalThis.deskside;` : null;
  },
};

/** A part is one file: Vite's helper, which fetches what else a chunk needs, has nothing to do. */
export const plainImports: Plugin = {
  name: 'plain-imports',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
};
