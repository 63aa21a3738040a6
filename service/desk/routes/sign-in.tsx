/** @jsxImportSource hono/jsx */
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type Context } from 'hono';
import { findAgent, signIn, signOut } from '../../agents/agents.ts';
import type { Deps } from '../../deps.ts';
import { readForm } from '../form.ts';
import { dropSession, keepSession, sessionToken } from '../session.ts';
import { addressBlock, AttemptLimit } from '../sign-in-limit.ts';
import { SignIn } from '../views/SignIn.tsx';

const windowMs = 15 * 60_000;

/** Sign-in and sign-out. */
export function signInRoutes(deps: Deps): Hono {
  const { db, log, now } = deps;
  const routes = new Hono();
  const perClient = new AttemptLimit(10, windowMs);
  // Counted only while the client may try: from one machine nobody can lock an agent out.
  const perEmail = new AttemptLimit(50, windowMs);

  routes.get('/sign-in', (c) => {
    const token = sessionToken(c);
    if (token !== undefined && findAgent(db, token, now())) return c.redirect('/desk', 303);
    return c.html(<SignIn />);
  });

  routes.post('/sign-in', async (c) => {
    const { email: typed = '', password = '' } = await readForm(c);
    const email = typed.trim().slice(0, 320);
    const client = clientAddress(c);
    // Counted before the check, so that attempts made at once cannot slip through.
    const mayTry =
      perClient.take(client, now().getTime()) && perEmail.take(email.toLowerCase(), now().getTime());
    if (!mayTry) {
      log.warn('sign-in limit reached');
      c.header('Retry-After', String(windowMs / 1000));
      return c.html(<SignIn email={email} fault="Too many attempts. Try again in 15 minutes." />, 429);
    }
    const token = await signIn(db, email, password.slice(0, 1000), now());
    if (token === null) return c.html(<SignIn email={email} fault="Email or password is not right." />, 401);
    const earlier = sessionToken(c);
    if (earlier !== undefined) signOut(db, earlier);
    perClient.forget(client);
    perEmail.forget(email.toLowerCase());
    keepSession(c, deps, token);
    return c.redirect('/desk', 303);
  });

  routes.post('/sign-out', (c) => {
    const token = sessionToken(c);
    if (token !== undefined) signOut(db, token);
    dropSession(c);
    return c.redirect('/desk/sign-in', 303);
  });

  return routes;
}

/** `app.request()` has no connection; its callers count as one client. */
function clientAddress(c: Context): string {
  const hasConnection = typeof c.env === 'object' && c.env !== null && 'incoming' in c.env;
  return addressBlock(hasConnection ? (getConnInfo(c).remote.address ?? '') : '');
}
