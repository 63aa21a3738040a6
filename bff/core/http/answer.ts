import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { NewSession } from '../identity/sessions.ts';
import { acceptedCodings } from './headers.ts';
import type { AppContext } from './context.ts';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** A shorter answer fits into one packet anyway. */
const worthChars = 1_024;
const compress = promisify(gzip);

/** The envelope of every successful answer. A new session goes into the cookie, or beside the data without cookies. */
export function answer(
  c: AppContext,
  data: unknown,
  { issued = null, status = 200 }: { issued?: NewSession | null; status?: ContentfulStatusCode } = {},
) {
  if (!issued) return c.json({ data }, status);
  if (c.get('visitor').isBearer) return c.json({ data, session_token: issued.token }, status);
  writeSessionCookie(c, issued.token, issued.lifetimeMs);
  return c.json({ data }, status);
}

/**
 * The same, compressed where that is worth it. SECURITY: for reads only. The compressed length of an answer with a token
 * could help to guess it.
 */
export async function answerCompressed(c: AppContext, data: unknown) {
  const text = JSON.stringify({ data });
  c.header('Content-Type', 'application/json');
  c.header('Vary', 'Accept-Encoding');
  const isWanted = acceptedCodings(c.req.header('Accept-Encoding'), ['gzip']).length > 0;
  if (!isWanted || text.length < worthChars) return c.body(text);
  c.header('Content-Encoding', 'gzip');
  return c.body(await compress(text));
}

/** The same for every embedding; partitioned by top-level site. */
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'None', partitioned: true } as const;

export const readSessionCookie = (c: AppContext) => getCookie(c, c.get('sessionCookie'));

export const writeSessionCookie = (c: AppContext, token: string, lifetimeMs: number): void =>
  setCookie(c, c.get('sessionCookie'), token, { ...attributes, maxAge: Math.floor(lifetimeMs / 1000) });

export const clearSessionCookie = (c: AppContext): void =>
  void deleteCookie(c, c.get('sessionCookie'), attributes);
