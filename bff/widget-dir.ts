import { fileURLToPath } from 'node:url';

/** The folder of the built widget, both from the source tree and from `dist/bff/`. */
export const widgetDir = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../widget/' : '../dist/widget/', import.meta.url),
);
