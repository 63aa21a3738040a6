import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Pages as a site owner has them; `bffUrl` is known only once the BFF runs, which needs this site's origin first. */
export interface HostSite {
  origin: string;
  bffUrl: string;
  stop(): Promise<void>;
}

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

const page = (bffUrl: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>A shop</title><link rel="icon" href="data:,"></head>
<body>
<h1>A shop</h1>
<p><a href="/second">Second page</a></p>
<script async nonce="${nonce}" src="${bffUrl}/widget.js" data-brand="Acme" data-color="#0b6b5d"></script>
</body>
</html>`;

export async function startHostSite(): Promise<HostSite> {
  const site = { origin: '', bffUrl: '', stop: () => stop(server) };
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.url === '/strict') response.setHeader('Content-Security-Policy', strictPolicy(site.bffUrl));
    response.end(page(site.bffUrl));
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
