import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';

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

/** As a page for signed-in customers has it; the customer stands in the page's own query. */
const identify = `<script>
window.Deskside ??= function () { (Deskside.q ??= []).push(arguments) };
Deskside('identify', async () => (await fetch('/token' + location.search)).text());
</script>`;

const nonce = 'bm9uY2U';

/** The strictest policy that a site can have and still embed us. */
const strictPolicy = (bffUrl: string) =>
  [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    `style-src 'nonce-${nonce}'`,
    `frame-src ${bffUrl}`,
    'img-src data:',
    "base-uri 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');

/** Keeps what the page's policy refuses. */
const watch = `<script nonce="${nonce}">
window.violations = [];
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) =>
  violations.push([effectiveDirective, blockedURI, sample].join(' ')));
</script>`;

const violation = '<script>window.wasRun = true</script>';

const page = (bffUrl: string, more = '', lang = 'en') => `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>A shop</title><link rel="icon" href="data:,"></head>
<body>
<h1>A shop</h1>
<p><a href="/second">Second page</a></p>
${more}
<script async nonce="${nonce}" src="${bffUrl}/widget.js" data-brand="Acme" data-color="#0b6b5d"></script>
</body>
</html>`;

export async function startHostSite(): Promise<HostSite> {
  const site = { origin: '', bffUrl: '', stop: () => stop(server) };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', site.origin);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (pathname === '/token') {
      void identityToken(searchParams.get('email') ?? '', site.bffUrl).then((token) => response.end(token));
      return;
    }
    if (pathname === '/strict') response.setHeader('Content-Security-Policy', strictPolicy(site.bffUrl));
    const more = [
      ...(pathname === '/signed-in' ? [identify] : []),
      ...(pathname === '/strict' ? [watch] : []),
      ...(searchParams.has('violate') ? [violation] : []),
    ];
    response.end(page(site.bffUrl, more.join(''), searchParams.get('lang') ?? 'en'));
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
