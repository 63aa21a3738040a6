/*
 * Whether the Content-Security-Policy of a page lets it load a script or a frame (CSP 3). It knows origins, schemes and
 * nonces, and no hashes. A page may have several policies, and each must allow it.
 */

/** The directives that decide, each replaced by the next where it is missing. */
const deciding = {
  script: ['script-src-elem', 'script-src', 'default-src'],
  frame: ['frame-src', 'child-src', 'default-src'],
} as const;

interface Wish {
  kind: keyof typeof deciding;
  url: URL;
  /** The origin of the page. */
  self: string;
  /** Of the tag. */
  nonce?: string | undefined;
}

/** The name of the directive that refuses it. Null where the policy allows it. */
export function refusingDirective(policy: string, { kind, url, self, nonce }: Wish): string | null {
  const directives = new Map(
    policy
      .split(';')
      .map((text) => text.trim().split(/\s+/))
      // The first of two with one name counts.
      .toReversed()
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources]),
  );
  const name = deciding[kind].find((each) => directives.has(each));
  const sources = name ? directives.get(name)! : [];
  const hasNonce = kind === 'script' && nonce !== undefined && sources.includes(`'nonce-${nonce}'`);
  if (name === undefined || hasNonce) return null;
  // Then scripts are allowed by nonces and hashes only.
  const isStrict = kind === 'script' && sources.includes("'strict-dynamic'");
  return !isStrict && sources.some((source) => allows(source, url, self)) ? null : name;
}

function allows(source: string, url: URL, self: string): boolean {
  if (source === '*') return /^https?:$/.test(url.protocol);
  if (source.toLowerCase() === "'self'") return url.origin === self;
  if (/^[a-z][\w+.-]*:$/i.test(source)) return url.protocol === source.toLowerCase();
  const [, scheme, host = '', port, path = ''] =
    /^(?:([a-z][\w+.-]*):\/\/)?([\w*.-]+)(?::(\d+|\*))?(\/.*)?$/i.exec(source) ?? [];
  // A source with http allows https, too.
  const isScheme = [undefined, 'http', url.protocol.slice(0, -1)].includes(scheme?.toLowerCase());
  const name = host.toLowerCase();
  const isHost = name.startsWith('*.') ? url.hostname.endsWith(name.slice(1)) : url.hostname === name;
  const isPort = port === '*' || (port ?? '') === url.port;
  const isPath = path.endsWith('/') ? url.pathname.startsWith(path) : path === '' || path === url.pathname;
  return isScheme && isHost && isPort && isPath;
}
