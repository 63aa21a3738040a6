import { fileURLToPath } from 'node:url';

/* This build: its version, and where its widget is. */

declare const __DESKSIDE_VERSION__: string | undefined;

/** A run from the source tree has no version. */
export const version = typeof __DESKSIDE_VERSION__ === 'undefined' ? '0.0.0-source' : __DESKSIDE_VERSION__;

/** The folder of the built widget, both from the source tree and from `dist/bff/`. */
export const widgetDir = fileURLToPath(
  new URL(import.meta.url.includes('/dist/') ? '../widget/' : '../dist/widget/', import.meta.url),
);
