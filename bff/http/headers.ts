import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './context.ts';

const oneYearSec = 31_536_000;

/** Headers of every answer. Strict transport security only where the BFF is reached by https. */
export const commonHeaders = (publicUrl: string): Record<string, string> => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${oneYearSec}` } : {}),
});

/** Sets these headers on every answer. */
export function setHeaders(values: Record<string, string>): MiddlewareHandler<AppEnv> {
  const headers = Object.entries(values);
  return async (c, next) => {
    for (const [name, value] of headers) c.header(name, value);
    await next();
  };
}
