import type { MiddlewareHandler } from 'hono';
import type { Log } from '../log/log.ts';
import type { AppEnv } from './context.ts';

/**
 * Warns at the first request that came through a proxy, if the BFF trusts none: then all customers behind the proxy
 * count as one address.
 */
export function warnOfProxy(log: Log): MiddlewareHandler<AppEnv> {
  let hasWarned = false;
  return (c, next) => {
    if (!hasWarned && c.req.header('X-Forwarded-For') !== undefined) {
      hasWarned = true;
      log.report('proxy_not_trusted');
    }
    return next();
  };
}
