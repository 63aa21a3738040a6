import { getPath } from 'hono/utils/url';

/*
 * The BFF under a path of its host, such as https://www.example.com/support. Its routes and documents know nothing of
 * it: the path is taken off each request, and the documents refer to everything relatively.
 */

/** Such as `/support`. Empty where the BFF has a host of its own. */
export const basePath = (publicUrl: string): string => new URL(publicUrl).pathname.replace(/\/$/, '');

/**
 * The path of a request below that of `PUBLIC_URL`, from which a proxy may have taken it already.
 * @param mount what a proxy may have left of it, or put before it or in its place, such as `/sites/garden`; empty if
 *   nothing
 */
export function pathBelow(publicUrl: string, mount = ''): (request: Request) => string {
  const base = basePath(publicUrl);
  const bases = [base.endsWith(mount) ? base : mount + base, mount].filter(Boolean);
  return (request) => {
    const path = getPath(request);
    const found = bases.find((each) => path.startsWith(`${each}/`));
    return found ? path.slice(found.length) : path;
  };
}

/** The name of the session's cookie. Several BFFs on one host, each under its path, have one each. */
export const sessionCookieName = (publicUrl: string): string =>
  `__Host-deskside${basePath(publicUrl).replaceAll('/', '+')}`;

/** The source of a Content-Security-Policy that admits what the BFF serves, and nothing else of a shared host. */
export const ownSource = (publicUrl: string): string => (basePath(publicUrl) ? `${publicUrl}/` : "'self'");
