import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { NewSession } from '../session/sessions.ts';
import type { AppContext } from './context.ts';
import { writeSessionCookie } from './cookie.ts';

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
