import type { MiddlewareHandler } from 'hono';
import { Problem } from '../problem.ts';
import { sentences } from './sentences/sentences.ts';

/**
 * SECURITY: lets only the desk's own pages send forms. Browsers that mark requests must say `same-origin`; others must
 * send an Origin that is ours (as configured, or as the browser addressed us). Neither header: refused.
 */
export function sameOrigin(publicUrl: string): MiddlewareHandler {
  const publicOrigin = new URL(publicUrl).origin;
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
    const site = c.req.header('sec-fetch-site');
    const origin = c.req.header('origin');
    const isOwn =
      site === undefined
        ? origin === publicOrigin || origin === new URL(c.req.url).origin
        : site === 'same-origin';
    if (!isOwn) throw new Problem(403, sentences.errors.otherSite);
    return next();
  };
}
