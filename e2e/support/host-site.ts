import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { libraryPages } from './hosts/libraries.ts';
import { shopPage, shops } from './hosts/shops.ts';

/** Pages as a site owner has them; `bffUrl` is known only once the BFF runs, which needs this site's origin first. */
export interface HostSite {
  origin: string;
  bffUrl: string;
  stop(): Promise<void>;
}

/** Shared by this site's server and the BFF of a stack that is started with it. */
export const identitySecret = 'an identity secret of 32 bytes or more';

/** What the site's server signs for the customer who is signed in with it. */
export const identityToken = (email: string, audience: string) =>
  new SignJWT({ email, email_verified: true, sub: `customer ${email}`, jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('2m')
    .sign(new TextEncoder().encode(identitySecret));

/** As in a page for signed-in customers. The page's query names the customer. */
const identify = `<script>
window.Deskside ??= function () { (Deskside.q ??= []).push(arguments) };
Deskside('identify', async () => (await fetch('/token' + location.search)).text());
</script>`;

export async function startHostSite(): Promise<HostSite> {
  const site = { origin: '', bffUrl: '', stop: () => stop(server) };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', site.origin);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (pathname === '/token') {
      void identityToken(searchParams.get('email') ?? '', site.bffUrl).then((token) => response.end(token));
      return;
    }
    const libraryPage = libraryPages[pathname];
    if (libraryPage) {
      response.end(libraryPage(site.bffUrl));
      return;
    }
    const shop = shops[pathname] ?? (pathname === '/signed-in' ? { body: identify } : {});
    for (const [name, value] of Object.entries(shop.headers ?? {})) response.setHeader(name, value);
    const lang = searchParams.get('lang');
    if (shop.policy) response.setHeader('Content-Security-Policy', shop.policy(site.bffUrl));
    response.end(shopPage(site.bffUrl, lang ? { ...shop, lang } : shop));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return site;
}

const stop = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
