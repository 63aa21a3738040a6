import { Hono } from 'hono';
import {
  type Assets,
  type DocumentHashes,
  forPages,
  serve,
  shortCache,
  framedAnywhere,
  types,
} from './assets.ts';
import type { AppEnv } from '../context.ts';
import { headlessPath, hoursPath } from '../../../../shared/contract/paths.ts';

/* The pages beside the app's own document, each with its policy. */

/**
 * The app without its views, for sites that render their own. SECURITY: it gives the embedding page everything that the
 * customer may read, so only the sites that the operator names may frame it, even if other sites may show the widget.
 */
export function headlessRoutes({ files }: Assets, origins: readonly string[], own: string) {
  const policy = [
    "default-src 'none'",
    `script-src ${own}`,
    `connect-src ${own}`,
    `worker-src ${own}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${origins.join(' ')}`,
    "require-trusted-types-for 'script'",
    'trusted-types deskside',
  ].join('; ');
  return new Hono<AppEnv>().get(headlessPath, (c) =>
    serve(c, files.get('headless.html')!, shortCache, {
      'Content-Security-Policy': policy,
      'X-Robots-Tag': 'noindex',
      ...framedAnywhere('require-corp'),
    }),
  );
}

/** The hours of support, for pages that have the widget. */
export const hoursRoutes = (script: () => string) =>
  new Hono<AppEnv>().get(hoursPath, (c) =>
    c.body(script(), 200, { 'Content-Type': types.js, 'Cache-Control': 'public, max-age=60', ...forPages }),
  );

/**
 * SECURITY: these pages have the widget's own origin, so their scripts could read the frame. They run only the scripts
 * that the build put into them, and read nothing from their address.
 */
const policyOf = ({ script, style }: DocumentHashes, more: string) =>
  [
    "default-src 'none'",
    `script-src ${script}`,
    `style-src ${style}`,
    "frame-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    more,
  ].join('; ');

/** A page where site owners try the widget, and the sample site that it shows it on. */
export function playgroundRoutes({ manifest, files }: Assets) {
  const { playground, sample } = manifest.playground;
  const playgroundPolicy = policyOf(playground, "connect-src 'self'; frame-ancestors 'none'");
  const samplePolicy = policyOf(sample, "frame-ancestors 'self'");

  const app = new Hono<AppEnv>();
  for (const [path, name, csp] of [
    ['/playground', 'playground.html', playgroundPolicy],
    ['/playground/sample', 'playground-sample.html', samplePolicy],
  ] as const)
    app.get(path, (c) =>
      serve(c, files.get(name)!, shortCache, { 'Content-Security-Policy': csp, 'X-Robots-Tag': 'noindex' }),
    );
  return app;
}
