import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { findAgent, sessionMs, type Agent } from '../agents/agents.ts';
import type { Deps } from '../deps.ts';

export interface DeskEnv {
  Variables: { agent: Agent };
}

const cookieName = 'deskside_desk';
const markName = 'deskside_desk_known';
const markSec = 180 * 24 * 3_600;

const attributes = ({ publicUrl }: Deps) =>
  ({ path: '/desk', httpOnly: true, sameSite: 'Lax', secure: publicUrl.startsWith('https:') }) as const;

/** Keeps a session's token in the browser: unreadable to scripts, not sent by other sites' forms. */
export function keepSession(c: Context, deps: Deps, token: string): void {
  setCookie(c, cookieName, token, { ...attributes(deps), maxAge: sessionMs / 1000 });
}

/** Keeps the mark of a browser that an agent has used; it stays when the session ends. */
export function keepMark(c: Context, deps: Deps, mark: string): void {
  setCookie(c, markName, mark, { ...attributes(deps), maxAge: markSec });
}

export const browserMark = (c: Context): string | undefined => getCookie(c, markName);

export const sessionToken = (c: Context): string | undefined => getCookie(c, cookieName);

export function dropSession(c: Context): void {
  deleteCookie(c, cookieName, { path: '/desk' });
}

/** Lets signed-in agents pass, and redirects everybody else to the sign-in page. */
export function requireAgent({ db, now }: Deps): MiddlewareHandler<DeskEnv> {
  return async (c, next) => {
    const token = sessionToken(c);
    const agent = token === undefined ? null : findAgent(db, token, now());
    if (!agent) return c.redirect('/desk/sign-in', 303);
    c.set('agent', agent);
    return next();
  };
}
