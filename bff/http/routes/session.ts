import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { clearSessionCookie } from '../cookie.ts';
import type { AppEnv } from '../context.ts';

export function sessionRoutes({ views, sessions, live, config }: Deps) {
  return new Hono<AppEnv>()
    .get('/', async (c) => {
      const session = c.get('session');
      const subject = session && (await sessions.subject(session.subjectId));
      return c.json({ data: await views.session(subject, config.brand) });
    })
    .delete('/', async (c) => {
      const session = c.get('session');
      if (session) {
        await sessions.end(session.id);
        await live.endSession(session);
      }
      clearSessionCookie(c);
      return c.json({ data: await views.session(null, config.brand) });
    });
}
