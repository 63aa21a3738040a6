import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Counter, Histogram } from 'prom-client';
import { paths } from '../contract/paths.ts';
import type { AppEnv } from './context.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method if it is a known one, else `other`, since clients can send any name. */
export const knownMethod = (method: string, other: string) => (methods.has(method) ? method : other);

/** Counts and measures every request. SECURITY: by the route's pattern; a path may hold an id or a secret. */
export function measureRequests({
  httpRequests,
  httpDurations,
  streamOpenings,
}: {
  httpRequests: Pick<Counter<'route' | 'method' | 'code'>, 'inc'>;
  httpDurations: Pick<Histogram<'route' | 'method'>, 'observe'>;
  streamOpenings: Pick<Histogram, 'observe'>;
}): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const startedAt = performance.now();
    await next();
    const seconds = (performance.now() - startedAt) / 1_000;
    const route = routePath(c, -1);
    const method = knownMethod(c.req.method, 'other');
    httpRequests.inc({ route, method, code: c.res.status });
    if (route === paths.events && c.res.ok) streamOpenings.observe(seconds);
    else httpDurations.observe({ route, method }, seconds);
  };
}
