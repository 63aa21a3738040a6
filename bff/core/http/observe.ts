import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Counter, Histogram } from 'prom-client';
import { paths } from '../../../shared/contract/paths.ts';
import type { Log } from '../log/log.ts';
import type { AppContext, AppEnv } from './context.ts';
import { type AnswerHeaders, setHeaders } from './headers.ts';
import type { Tracer } from '../tracer.ts';

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The method if it is a known one, else `other`, since clients can send any name. */
export const knownMethod = (method: string, other: string) => (methods.has(method) ? method : other);

/**
 * Gives every answer a request id and these headers, so it must be the first middleware. Then counts and measures the
 * request, and writes one log line for it. SECURITY: the metrics and the log have the route's pattern, since a path may
 * hold an id or a secret. They have no other ids than that of the request, and no queries, headers or bodies.
 */
export function observeRequests({
  log,
  metrics: { httpRequests, httpDurations, streamOpenings },
  headers,
}: {
  log: Pick<Log, 'request'>;
  metrics: {
    httpRequests: Pick<Counter<'route' | 'method' | 'code'>, 'inc'>;
    httpDurations: Pick<Histogram<'route' | 'method'>, 'observe'>;
    streamOpenings: Pick<Histogram, 'observe'>;
  };
  headers: AnswerHeaders;
}): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    c.set('requestId', requestId);
    setHeaders(c, { ...headers, 'X-Request-Id': requestId });
    const startedAt = performance.now();
    await next();
    const ms = performance.now() - startedAt;
    const route = routePath(c, -1);
    const { status } = c.res;
    const method = knownMethod(c.req.method, 'other');
    httpRequests.inc({ route, method, code: status });
    if (route === paths.events && c.res.ok) streamOpenings.observe(ms / 1_000);
    else httpDurations.observe({ route, method }, ms / 1_000);
    const line = { request_id: requestId, method: c.req.method, route, status, ms: Math.round(ms) };
    log.request(line, c.get('failure'));
  };
}

/** How many addresses `X-Forwarded-For` has: one for each proxy that adds one. */
export const forwardedCount = (c: AppContext): number =>
  c.req.header('X-Forwarded-For')?.split(',').length ?? 0;

/**
 * Warns once, at a request of the widget that came through fewer proxies than the BFF trusts, or through one if it trusts
 * none: then customers count as one address, or as the one that they name. Other requests may come from this machine.
 */
export function warnOfProxies(log: Log, trustedProxies: number): MiddlewareHandler<AppEnv> {
  let hasWarned = false;
  return (c, next) => {
    const count = forwardedCount(c);
    if (!hasWarned && (trustedProxies === 0 ? count > 0 : count < trustedProxies)) {
      hasWarned = true;
      log.report(trustedProxies === 0 ? 'proxy_not_trusted' : 'proxy_adds_nothing');
    }
    return next();
  };
}

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
