import { request as ask } from 'node:http';
import { identityToken } from '../../scripts/identity-token.ts';
import { serve } from '../../scripts/serve.ts';
import { policyOf, shopPage, shops } from './hosts/shops.ts';

export type HostSite = Awaited<ReturnType<typeof startHostSite>>;

/** Pages as a site owner has them. */
export async function startHostSite() {
  const site = {
    origin: '',
    /** Known only once the BFF runs, which needs this site's origin first. */
    bffUrl: '',
    /** Where the site passes requests below `/support/` to, unchanged. Empty: nowhere. */
    passesTo: '',
  };
  const { port, stop } = await serve((request, response) => {
    if (site.passesTo && /^\/support(?![^/?])/.test(request.url!)) {
      const { method, headers } = request;
      const passed = ask(site.passesTo + request.url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers).flushHeaders();
        answer.pipe(response);
      });
      response.on('close', () => passed.destroy());
      passed.on('error', () => response.destroy());
      return void request.pipe(passed);
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', site.origin);
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (pathname === '/token') {
      void identityToken(searchParams.get('email') ?? '', site.bffUrl).then((token) => response.end(token));
      return;
    }
    const shop = shops[pathname] ?? {};
    for (const [name, value] of Object.entries(shop.headers ?? {})) response.setHeader(name, value);
    const lang = searchParams.get('lang');
    const policy = policyOf(site.bffUrl, shop);
    if (policy) response.setHeader('Content-Security-Policy', policy);
    response.end(shopPage(site.bffUrl, lang ? { ...shop, lang } : shop));
  });
  site.origin = `http://localhost:${port}`;
  return Object.assign(site, { stop });
}
