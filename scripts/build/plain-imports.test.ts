import { expect, it } from 'vitest';
import { plainImports } from './plain-imports.ts';

const { handler } = plainImports.renderChunk as { handler: (code: string) => string };

it.each([
  [
    'of a whole module',
    `a(__vitePreload(() => import("./x.js"), __VITE_PRELOAD__))`,
    `a((() => import("./x.js"))())`,
  ],
  [
    'of one export',
    `(await __vitePreload(async () => {\n\tconst { run } = await import("./x.js");\n\treturn { run };\n}, __VITE_PRELOAD__)).run()`,
    `(await import("./x.js")).run()`,
  ],
  [
    'of an export under another name',
    `__vitePreload(async () => {\n\tconst { a: run } = await import("./x.js");\n\treturn { run };\n}, __VITE_PRELOAD__)`,
    `(async () => {\n\tconst { a: run } = await import("./x.js");\n\treturn { run };\n})()`,
  ],
])('an import %s loses the helper that Vite puts around it', (_, written, left) => {
  expect(handler(written)).toBe(left);
});

it('the helper itself is not kept, imported or exported', () => {
  expect(
    handler('var __vitePreload = (load) => load();\nexport { a, __vitePreload as t, b };'),
  ).not.toContain('Preload');
  expect(handler('import { t as __vitePreload, u as a } from "./app.js";')).not.toContain('Preload');
});
