import { Hono } from 'hono';
import { type Assets, type DocumentHashes, serve, shortCache } from './assets.ts';
import type { AppEnv } from '../context.ts';

/**
 * SECURITY: these pages have the widget's own origin, so their scripts could read the frame. They run only the scripts
 * that the build put into them, and read nothing from their address.
 */
const policy = ({ script, style }: DocumentHashes, more: string) =>
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
  const playgroundPolicy = policy(playground, "connect-src 'self'; frame-ancestors 'none'");
  const samplePolicy = policy(sample, "frame-ancestors 'self'");

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
