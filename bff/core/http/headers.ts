import type { MiddlewareHandler } from 'hono';
import type { AppContext, AppEnv } from './context.ts';
import Negotiator from 'negotiator';

const oneYearSec = 31_536_000;

/** Headers by name. */
export type AnswerHeaders = Readonly<Record<string, string>>;

/**
 * Headers of every answer. Strict transport security only where the BFF is reached by https and has a host of its own:
 * it would replace the policy of a site on the same host.
 */
export function commonHeaders(publicUrl: string): AnswerHeaders {
  const { protocol, pathname } = new URL(publicUrl);
  const isStrict = protocol === 'https:' && pathname === '/';
  return {
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(isStrict && { 'Strict-Transport-Security': `max-age=${oneYearSec}` }),
  };
}

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

/** The codings in `available` that an `Accept-Encoding` header allows, in order of preference. */
export const acceptedCodings = (header: string | undefined, available: string[]): string[] =>
  new Negotiator({ headers: { 'accept-encoding': header } }).encodings(available);
