import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Tracer } from '../tracer.ts';
import type { AppEnv } from './context.ts';
import { knownMethod } from './observe.ts';

/**
 * Creates a span for each request. SECURITY: it has the route's pattern, since a path may hold an id or a secret.
 * @param isBehindProxy a `traceparent` can be our proxy's: the span is linked to it
 */
export function traceRequests({
  tracer,
  isBehindProxy,
}: {
  tracer: Tracer;
  isBehindProxy: boolean;
}): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const method = knownMethod(c.req.method, 'HTTP');
    const link = isBehindProxy ? c.req.header('traceparent') : undefined;
    return tracer.span({ name: method, kind: 'server', link }, async (span) => {
      await next();
      const route = routePath(c, -1);
      const errorCode = c.get('failure')?.code;
      span.describe({
        name: `${method} ${route}`,
        attributes: {
          'http.request.method': knownMethod(c.req.method, '_OTHER'),
          'http.route': route,
          'http.response.status_code': c.res.status,
          ...(errorCode ? { 'deskside.error.code': errorCode } : {}),
        },
        failure: c.res.status >= 500 ? (errorCode ?? 'internal') : undefined,
      });
    });
  };
}
