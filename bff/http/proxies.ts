import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';

/**
 * Warns at the first request that has come through a proxy, for a BFF that trusts none: all customers behind that proxy
 * count as one address.
 */
export function warnOfProxy(): MiddlewareHandler<AppEnv> {
  let hasWarned = false;
  return async (c, next) => {
    if (!hasWarned && c.req.header('X-Forwarded-For') !== undefined) {
      hasWarned = true;
      c.get('log').warn(
        'a request carries X-Forwarded-For and TRUST_PROXY is 0: all customers behind that proxy share the limits of one address. Set TRUST_PROXY to the number of proxies in front',
      );
    }
    await next();
  };
}
