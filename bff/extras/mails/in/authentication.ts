import { domainToASCII } from 'node:url';

/*
 * What the operator's mail server found out about the sender of a mail (`Authentication-Results`, RFC 8601). SECURITY: a
 * sender can write such headers too. The operator's server puts its own on top, so only the topmost counts, and only under
 * that server's name.
 */

export interface SenderChecks {
  dmarc: string | undefined;
  spf: string | undefined;
  dkim: string | undefined;
}

const methods = ['dmarc', 'spf', 'dkim'] as const;

/**
 * A header without comments, and without what stands in quotes. SECURITY: the server repeats there what the sender has
 * chosen, such as `smtp.mailfrom="x; dmarc=pass"@example.com`.
 */
function withoutSaid(header: string): string {
  let found = '';
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at += 1) {
    const char = header[at]!;
    if (char === '\\') at += 1;
    else if (char === '"' && depth === 0) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (char === '(') depth += 1;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0) found += char;
    if (depth > 0 || isQuoted) continue;
    if (char === ')' || char === '"') found += ' ';
  }
  return found;
}

/** Whether what was found out about this domain is about the sender's. */
const isAbout = (domain: string, of: string) => domain === of || domain.endsWith(`.${of}`);

/**
 * Null where that server has said nothing.
 * @param headers the topmost first
 * @param server its name in its header. Undefined: none is believed
 * @param domain of the sender's address, as in DNS. A result of DMARC for another one, such as that of a second `From`, is a failure
 */
export function checksIn(
  headers: readonly string[],
  server: string | undefined,
  domain: string,
): SenderChecks | null {
  const [head = '', ...results] = withoutSaid(headers[0] ?? '')
    .toLowerCase()
    .split(';');
  const [by = ''] = head.trim().split(/\s/);
  if (server === undefined || by !== server.toLowerCase()) return null;
  const found = results.flatMap((text) => {
    const [, method = '', outcome = ''] = /^\s*(\w+)\s*=\s*(\w+)/.exec(text) ?? [];
    const [, of = domain] = /\sheader\.from\s*=\s*([^\s;]+)/.exec(text) ?? [];
    return method
      ? [{ method, outcome: method === 'dmarc' && !isAbout(domain, domainToASCII(of)) ? 'fail' : outcome }]
      : [];
  });
  if (found.length === 0) return null;
  const outcomesOf = (name: string) =>
    found.flatMap(({ method, outcome }) => (method === name ? outcome : []));
  // A mail may have several signatures.
  const anyOf = (outcomes: readonly string[]) => (outcomes.includes('pass') ? 'pass' : outcomes[0]);
  return {
    dmarc: outcomesOf('dmarc').toSorted((a, b) => Number(a === 'pass') - Number(b === 'pass'))[0],
    spf: anyOf(outcomesOf('spf')),
    dkim: anyOf(outcomesOf('dkim')),
  };
}

/** For agents, such as `dmarc=pass, spf=pass`. */
export const saidBy = (checks: SenderChecks | null): string =>
  methods.flatMap((method) => (checks?.[method] ? `${method}=${checks[method]}` : [])).join(', ');
