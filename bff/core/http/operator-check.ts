import type { MiddlewareHandler } from 'hono';
import { isEqual } from '../is-equal.ts';
import type { AppEnv } from './context.ts';
import { setHeaders } from './headers.ts';
import { forwardedCount } from './observe.ts';

type Hash = (purpose: string, text: string) => string;

/** Request header of `deskside check`. It proves that the sender knows the secret key. */
export const checkHeader = 'X-Deskside-Check';
/** Answer header: how many addresses `X-Forwarded-For` had, and how many proxies are trusted. */
export const forwardedHeader = 'X-Deskside-Forwarded';

const minuteMs = 60_000;
/** How far the clocks may be apart, in minutes. */
const slack = [-2, -1, 0, 1, 2];

/** The value of `checkHeader` at this moment; `now` in Unix milliseconds. */
export const checkProof = (hash: Hash, now: number) =>
  hash('operator check', String(Math.floor(now / minuteMs)));

/**
 * Tells the operator, and nobody else, how a request arrived through the proxies. Only adds a header to the answer.
 */
export function operatorCheck({
  hash,
  now,
  trustedProxies,
}: {
  hash: Hash;
  now: () => number;
  trustedProxies: number;
}): MiddlewareHandler<AppEnv> {
  return (c, next) => {
    const given = c.req.header(checkHeader);
    if (given !== undefined && slack.some((n) => isEqual(checkProof(hash, now() + n * minuteMs), given)))
      setHeaders(c, { [forwardedHeader]: `entries=${forwardedCount(c)}; trusted=${trustedProxies}` });
    return next();
  };
}
