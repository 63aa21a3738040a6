import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NewSession } from '../session/sessions.ts';
import { acceptedCodings } from '../text/accept-encoding.ts';
import type { AppContext } from './context.ts';
import { writeSessionCookie } from './cookie.ts';
import { headersOf, setHeaders } from './headers.ts';

/** A shorter answer fits into one packet anyway. */
const worthChars = 1_024;
const compress = promisify(gzip);

/** An answer with the headers that were set for it. Every answer but a stream's is made here. */
export const respond = (c: AppContext, body: string | Uint8Array<ArrayBuffer> | null, status = 200) =>
  new Response(body, { status, headers: headersOf(c) });

export function respondJson(c: AppContext, value: unknown, status?: number) {
  setHeaders(c, { 'Content-Type': 'application/json' });
  return respond(c, JSON.stringify(value), status);
}

/** The envelope of every successful answer. A new session goes into the cookie, or beside the data without cookies. */
export function answer(
  c: AppContext,
  data: unknown,
  { issued = null, status }: { issued?: NewSession | null; status?: number } = {},
) {
  if (!issued) return respondJson(c, { data }, status);
  if (c.get('visitor').isBearer) return respondJson(c, { data, session_token: issued.token }, status);
  writeSessionCookie(c, issued.token, issued.lifetimeMs);
  return respondJson(c, { data }, status);
}

/**
 * The same, compressed where that is worth it. SECURITY: for reads only. The compressed length of an answer with a token
 * could help to guess it.
 */
export async function answerCompressed(c: AppContext, data: unknown) {
  const text = JSON.stringify({ data });
  setHeaders(c, { Vary: 'Accept-Encoding', 'Content-Type': 'application/json' });
  const isWanted = acceptedCodings(c.req.header('Accept-Encoding'), ['gzip']).length > 0;
  if (!isWanted || text.length < worthChars) return respond(c, text);
  const compressed = await compress(text);
  setHeaders(c, { 'Content-Encoding': 'gzip' });
  return respond(c, compressed);
}
