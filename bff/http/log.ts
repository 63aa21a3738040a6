import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Log } from '../log/log.ts';
import type { AppEnv } from './context.ts';

/**
 * Adds a request id to every answer, and writes one log line for it. SECURITY: the log has the route's pattern, and
 * no ids, queries, headers or bodies.
 */
export function requestLog(log: Log): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.header('X-Request-Id', requestId);
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    const { method } = c.req;
    const { status } = c.res;
    log.request({ request_id: requestId, method, route: routePath(c, -1), status, ms }, c.get('failure'));
  };
}
