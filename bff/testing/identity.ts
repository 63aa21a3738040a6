import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { paths } from '../../shared/contract/paths.ts';
import type { TestBff } from './bff.ts';
import type { TestBrowser } from './browser.ts';

export const identitySecret = 'an identity secret of 32 bytes or more';

/** Settings of a BFF that accepts the tokens of `identityToken`. */
export const withIdentity = {
  identity: {
    secret: identitySecret,
    publicKey: undefined,
    jwksUrl: undefined,
    audience: 'https://support.test',
  },
};

/** The token that the site's server would sign for a customer. */
export function identityToken(email: string, claims: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT({ email, email_verified: true, sub: `user of ${email}`, jti: randomUUID(), ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience('https://support.test')
    .setIssuedAt()
    .setExpirationTime('2m')
    .sign(new TextEncoder().encode(identitySecret));
}

export const identify = async (browser: TestBrowser, email: string, claims = {}) =>
  browser.request('POST', paths.identity, { token: await identityToken(email, claims) });

/** A new browser whose customer signed in with a token. */
export async function signedIn(bff: TestBff, email: string, claims = {}): Promise<TestBrowser> {
  const browser = bff.browser();
  await identify(browser, email, claims);
  return browser;
}

/** Adds the tickets from before a sign-in, as the button in the frame does. */
export const addTickets = (browser: TestBrowser) => browser.request('POST', paths.transfer, {});

export const claim = (browser: TestBrowser) => browser.request('POST', paths.claim, {});

/** Ids of the tickets that this browser sees, sorted. */
export const idsOf = async (browser: TestBrowser) =>
  ((await browser.get(paths.tickets)).data as { id: string }[]).map(({ id }) => id).toSorted();
