/** Whether an origin is among these, or a subdomain of one with a wildcard, as `frame-ancestors` means it. */
export const admits = (embedders: readonly string[], given: string): boolean =>
  embedders.some((each) => {
    const [scheme, domain] = each.split('*') as [string, string?];
    if (domain === undefined) return each === given;
    // An address with a path could end like the domain.
    const isOrigin = URL.canParse(given) && new URL(given).origin === given;
    return isOrigin && given.startsWith(scheme) && given.endsWith(domain) && given.length >= each.length;
  });
