import { identitySecret, identityToken as signToken } from '../../scripts/identity-token.ts';
import { paths } from '../../shared/contract/paths.ts';
import type { TestBff } from './bff.ts';
import type { TestBrowser } from './browser.ts';

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
export const identityToken = (email: string, claims: Record<string, unknown> = {}): Promise<string> =>
  signToken(email, withIdentity.identity.audience, claims);

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
