import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Logger } from 'pino';
import type { AppEnv } from './context.ts';

/**
 * A request id on every answer and log line. SECURITY: logs have the route's pattern, and no ids, queries, headers or
 * bodies.
 */
export function requestLog(log: Logger): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('log', log.child({ request_id: requestId }));
    c.header('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    c.get('log').info({ method: c.req.method, route: routePath(c, -1), status: c.res.status, ms }, 'request');
  };
}
