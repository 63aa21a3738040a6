import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppContext } from './context.ts';

export const sessionCookie = '__Host-deskside';
/** The same for every embedding; partitioned by top-level site. */
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'None', partitioned: true } as const;

export const readSessionCookie = (c: AppContext) => getCookie(c, sessionCookie);

export const writeSessionCookie = (c: AppContext, token: string, lifetimeMs: number): void =>
  setCookie(c, sessionCookie, token, { ...attributes, maxAge: Math.floor(lifetimeMs / 1000) });

export const clearSessionCookie = (c: AppContext): void => void deleteCookie(c, sessionCookie, attributes);
