import type { Plugin } from 'vite';

/**
 * Leaves Preact's hooks out of the app, which renders without them. `@preact/signals` imports them for signals that are
 * used directly in JSX. Such a use throws in the built app.
 */
export const noHooks: Plugin = {
  name: 'no-hooks',
  applyToEnvironment: ({ name }) => name === 'client',
  load: (id) =>
    id.endsWith('/preact/hooks/dist/hooks.mjs')
      ? `const refuse = () => { throw new Error('The app has no hooks: read the value of the signal'); };
         export { refuse as useEffect, refuse as useMemo, refuse as useRef };`
      : null,
};
