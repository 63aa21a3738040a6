import { generateCookie, getCookie } from 'hono/cookie';
import type { AppContext } from './context.ts';
import { setHeaders } from './headers.ts';

export const sessionCookie = '__Host-deskside';
/** The same for every embedding; partitioned by top-level site. */
const attributes = { path: '/', secure: true, httpOnly: true, sameSite: 'None', partitioned: true } as const;

export const readSessionCookie = (c: AppContext) => getCookie(c, sessionCookie);

const setCookie = (c: AppContext, value: string, maxAge: number) =>
  setHeaders(c, { 'Set-Cookie': generateCookie(sessionCookie, value, { ...attributes, maxAge }) });

export const writeSessionCookie = (c: AppContext, token: string, lifetimeMs: number) =>
  setCookie(c, token, Math.floor(lifetimeMs / 1000));

export const clearSessionCookie = (c: AppContext) => setCookie(c, '', 0);
