/** @jsxImportSource hono/jsx */
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type Context } from 'hono';
import { findAgent, signIn, signOut } from '../../agents/agents.ts';
import { markBrowser, readMark } from '../../agents/known-browsers.ts';
import type { Deps } from '../../deps.ts';
import { readForm } from '../form.ts';
import { clientAddress } from '../client-address.ts';
import { sentences } from '../sentences/sentences.ts';
import { browserMark, dropSession, keepMark, keepSession, sessionToken } from '../session.ts';
import { type Attempt, SignInDelay } from '../sign-in-delay.ts';
import { SignIn } from '../views/SignIn.tsx';

/** Sign-in and sign-out. */
export function signInRoutes(deps: Deps): Hono {
  const { db, log, now } = deps;
  const routes = new Hono();
  const delay = new SignInDelay();

  routes.get('/sign-in', (c) => {
    const token = sessionToken(c);
    if (token !== undefined && findAgent(db, token, now())) return c.redirect('/desk', 303);
    return c.html(<SignIn />);
  });

  routes.post('/sign-in', async (c) => {
    const { email: typed = '', password = '' } = await readForm(c);
    const email = typed.trim().slice(0, 320);
    const mark = browserMark(c);
    const attempt: Attempt = {
      email,
      client: clientAddress(remoteAddress(c), c.req.header('X-Forwarded-For'), deps.trustedProxies),
      knownBrowser: mark === undefined ? null : readMark(db, email, mark),
    };
    const waitSec = Math.ceil(delay.begin(attempt, now().getTime()) / 1_000);
    if (waitSec > 0) {
      log.warn('sign-in delayed');
      c.header('Retry-After', String(waitSec));
      return c.html(<SignIn email={email} fault={sentences.faults.tooEarly(waitSec)} />, 429);
    }
    const token = await signIn(db, email, password.slice(0, 1000), now());
    if (token === null) return c.html(<SignIn email={email} fault={sentences.faults.wrongPassword} />, 401);
    const earlier = sessionToken(c);
    if (earlier !== undefined) signOut(db, earlier);
    delay.succeed(attempt);
    keepSession(c, deps, token);
    if (attempt.knownBrowser === null) keepMark(c, deps, markBrowser(db, email));
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
function remoteAddress(c: Context): string | undefined {
  const hasConnection = typeof c.env === 'object' && c.env !== null && 'incoming' in c.env;
  return hasConnection ? getConnInfo(c).remote.address : undefined;
}
