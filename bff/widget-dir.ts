import { fileURLToPath } from 'node:url';

/** Where the built widget is, from the source tree and from `dist/bff/` alike. */
export const widgetDir = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../widget/' : '../dist/widget/', import.meta.url),
);
