import type { MiddlewareHandler } from 'hono';
import type { AnswerHeaders, AppContext, AppEnv } from './context.ts';

const oneYearSec = 31_536_000;

/** Headers of every answer. Strict transport security only where the BFF is reached by https. */
export const commonHeaders = (publicUrl: string): AnswerHeaders => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${oneYearSec}` } : {}),
});

/** Adds headers to the answer of this request, or replaces them. */
export const setHeaders = (c: AppContext, headers: AnswerHeaders): void =>
  void c.get('headers').push(headers);

/** The headers of the answer of this request. V8 joins many records into an empty one ten times faster than one by one. */
export const headersOf = (c: AppContext): AnswerHeaders => Object.assign({}, ...c.get('headers'));

/** Adds these headers to the answers of all requests that pass it. */
export function withHeaders(headers: AnswerHeaders): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    setHeaders(c, headers);
    return next();
  };
}
