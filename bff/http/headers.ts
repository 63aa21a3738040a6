import type { MiddlewareHandler } from 'hono';
import type { AppContext, AppEnv } from './context.ts';

const oneYearSec = 31_536_000;

/** Headers by name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/** Headers of every answer. Strict transport security only where the BFF is reached by https. */
export const commonHeaders = (publicUrl: string): AnswerHeaders => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${oneYearSec}` } : {}),
});

/** Adds headers to whatever answer this request gets, an error included, or replaces them. */
export function setHeaders(c: AppContext, headers: AnswerHeaders): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}

/** Adds these headers to the answers of all requests that pass it. */
export function withHeaders(headers: AnswerHeaders): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    setHeaders(c, headers);
    return next();
  };
}
