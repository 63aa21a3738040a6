import { Hono } from 'hono';
import { headlessPath } from '../../../../shared/contract/paths.ts';
import { type Assets, framedAnywhere, serve, shortCache } from './assets.ts';
import type { AppEnv } from '../context.ts';

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
