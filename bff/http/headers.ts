import type { MiddlewareHandler } from 'hono';
import type { AnswerHeaders, AppContext, AppEnv } from './context.ts';

const oneYearSec = 31_536_000;

/** Headers of every answer. Strict transport security only where the BFF is reached by https. */
export const commonHeaders = (publicUrl: string): AnswerHeaders => ({
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  ...(publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${oneYearSec}` } : {}),
});

/**
 * Adds headers to whatever answer this request gets, an error included, or replaces them. Headers of one answer alone,
 * such as an `ETag`, are given to `respond`.
 */
export const setHeaders = (c: AppContext, headers: AnswerHeaders): void =>
  void c.get('headers').push(headers);

/** The headers of the answer of this request, with `more` that belong to this answer alone. */
export const headersOf = (c: AppContext, ...more: readonly AnswerHeaders[]): Record<string, string> =>
  Object.assign({}, ...c.get('headers'), ...more);

/** Adds these headers to the answers of all requests that pass it. */
export function withHeaders(headers: AnswerHeaders): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    setHeaders(c, headers);
    return next();
  };
}
