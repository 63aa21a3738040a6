import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NewSession } from '../session/sessions.ts';
import { acceptedCodings } from '../text/accept-encoding.ts';
import type { AnswerHeaders, AppContext } from './context.ts';
import { writeSessionCookie } from './cookie.ts';
import { headersOf } from './headers.ts';

/** A shorter answer fits into one packet anyway. */
const worthChars = 1_024;
const compress = promisify(gzip);

const jsonType = { 'Content-Type': 'application/json' };

/** An answer with these headers and those that were set before. Every answer but a stream's is made here. */
export const respond = (
  c: AppContext,
  body: string | Uint8Array<ArrayBuffer> | null,
  status: number,
  ...headers: readonly AnswerHeaders[]
) => new Response(body, { status, headers: headersOf(c, ...headers) });

export const respondJson = (c: AppContext, value: unknown, status: number, headers: AnswerHeaders = {}) =>
  respond(c, JSON.stringify(value), status, jsonType, headers);

/** The envelope of every successful answer. A new session goes into the cookie, or beside the data without cookies. */
export function answer(
  c: AppContext,
  data: unknown,
  { issued = null, status = 200 }: { issued?: NewSession | null; status?: number } = {},
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
  const isWanted = acceptedCodings(c.req.header('Accept-Encoding'), ['gzip']).length > 0;
  const headers = { ...jsonType, Vary: 'Accept-Encoding' };
  if (!isWanted || text.length < worthChars) return respond(c, text, 200, headers);
  return respond(c, await compress(text), 200, headers, { 'Content-Encoding': 'gzip' });
}
