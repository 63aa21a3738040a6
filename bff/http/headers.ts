import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';

const oneYearSec = 31_536_000;

/** On every answer. Browsers keep to https only where that is how the BFF is reached. */
export function securityHeaders(publicUrl: string): MiddlewareHandler<AppEnv> {
  const isHttps = publicUrl.startsWith('https:');
  return async (c, next) => {
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Referrer-Policy', 'no-referrer');
    if (isHttps) c.header('Strict-Transport-Security', `max-age=${oneYearSec}`);
    await next();
  };
}
