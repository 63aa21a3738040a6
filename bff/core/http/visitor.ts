import type { MiddlewareHandler } from 'hono';
import { anonymousHeader, ownerHeader, proofHeader, sessionHeader } from '../../../shared/contract/paths.ts';
import { clientAddress } from '../limits/client-address.ts';
import { limitHeaders, type Limits } from '../limits/limits.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { AppContext, AppEnv } from './context.ts';
import { readSessionCookie } from './answer.ts';
import { setHeaders } from './headers.ts';

const bearerToken = (c: AppContext) => /^Bearer (\S+)$/.exec(c.req.header('Authorization') ?? '')?.[1];

/**
 * Determines the address that a request is counted by, and counts it. Only refusals have the limit headers, since
 * caches may share files.
 * @param deps `trustedProxies`: how many hops of `X-Forwarded-For` count, from the right
 */
export function countRequests(deps: { limits: Limits; trustedProxies: number }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const remote = c.env?.incoming?.socket.remoteAddress;
    const address = clientAddress(remote, c.req.header('X-Forwarded-For'), deps.trustedProxies);
    c.set('address', address);
    await deps.limits.take([{ policy: 'anything-ip', key: address }]);
    await next();
  };
}

/**
 * Finds the session of the token in the cookie or, for browsers without cookies, in `Authorization`, and counts the
 * request. SECURITY: tabs share the cookie. A request made for one customer gets no session when the cookie is
 * another customer's, and a request made for an anonymous visitor gets none when the cookie is a customer's.
 */
export function visitors(deps: {
  sessions: Sessions;
  subjects: Subjects;
  limits: Limits;
  /** The name of the session's cookie. */
  sessionCookie: string;
}): MiddlewareHandler<AppEnv> {
  async function find(tokenHash: string) {
    const found = await deps.sessions.authenticate(tokenHash);
    return found && { session: found.session, subject: deps.subjects.of(found.subject) };
  }

  return async (c, next) => {
    setHeaders(c, { 'Cache-Control': 'no-store' });
    c.set('sessionCookie', deps.sessionCookie);
    const bearer = bearerToken(c);
    const token = bearer ?? readSessionCookie(c);
    const tokenHash = token === undefined ? null : deps.sessions.hashOf(token);
    const address = c.get('address');
    await deps.limits.take([{ policy: 'requests-ip', key: address }]);
    const owner = c.req.header(ownerHeader);
    const found = tokenHash === null ? null : await find(tokenHash);
    const isOthers =
      (owner !== undefined && (!found || deps.subjects.ownerName(found.subject.id) !== owner)) ||
      (c.req.header(anonymousHeader) !== undefined && found?.subject.isSignedIn === true);
    const { session, subject } = found && !isOthers ? found : { session: null, subject: null };
    c.set('visitor', {
      session,
      subject,
      tokenHash,
      isOthers,
      isStale: isOthers || (token !== undefined && session === null),
      isBearer: bearer !== undefined || c.req.header(sessionHeader) === 'bearer',
      address,
      proof: c.req.header(proofHeader),
      onLimits: (states) => setHeaders(c, limitHeaders(states)),
    });
    await next();
  };
}
