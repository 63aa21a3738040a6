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
 * Null where that server has said nothing.
 * @param headers the topmost first
 * @param server its name in its header. Undefined: none is believed
 */
export function checksIn(headers: readonly string[], server: string | undefined): SenderChecks | null {
  const [head = '', ...results] = (headers[0] ?? '').replace(/\([^()]*\)/g, ' ').split(';');
  const [by = ''] = head.trim().split(/\s/);
  if (server === undefined || by.toLowerCase() !== server.toLowerCase()) return null;
  const found = results.flatMap((text) => {
    const [, method = '', outcome = ''] = /^\s*(\w+)\s*=\s*(\w+)/.exec(text.toLowerCase()) ?? [];
    return method ? [{ method, outcome }] : [];
  });
  if (found.length === 0) return null;
  const outcomeOf = (name: string) => {
    const outcomes = found.flatMap(({ method, outcome }) => (method === name ? outcome : []));
    // A mail may have several signatures.
    return outcomes.includes('pass') ? 'pass' : outcomes[0];
  };
  return { dmarc: outcomeOf('dmarc'), spf: outcomeOf('spf'), dkim: outcomeOf('dkim') };
}

/** For agents, such as `dmarc=pass, spf=pass`. */
export const saidBy = (checks: SenderChecks | null): string =>
  methods.flatMap((method) => (checks?.[method] ? `${method}=${checks[method]}` : [])).join(', ');
