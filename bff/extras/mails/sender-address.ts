import { domainToASCII } from 'node:url';

/*
 * The address of a sender, as an operator writes it. A parser of headers is of no use for that: it takes `Acme: Support`
 * for a group, and `(EU)` for a comment. It knows no settings.
 */

/** An address with the name that is shown for it; without one it is empty. */
export interface Mailbox {
  name: string;
  address: string;
}

/** Stands in an address where the token of a ticket goes. */
export const tokenPlace = '{token}';

const usage = 'write support@example.com or Acme <support@example.com>';
const atom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const betweenWords = /[\s<>()[\],;:"']+/;
const hostname = /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/;

const countAddresses = (text: string) => text.split(betweenWords).filter((word) => /.@./.test(word)).length;
/** The last part of a host's name has a letter, unlike that of an IP address. */
const isHost = (host: string) => hostname.test(host) && /[a-z]/.test(host.slice(host.lastIndexOf('.') + 1));

/** Whether quotes enclose a text that ends with an address. */
function isInQuotes(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [quote = ''] = text;
  return at > 0 && `"'`.includes(quote) && text.endsWith(quote) && !/["']/.test(text.slice(at, -1));
}

/**
 * Reads `address` or `Name <address>`. The name needs no quotes, whatever it contains. A domain in other letters than
 * a-z is returned as DNS has it. `mayHaveToken`: `{token}` may stand once before the `@`.
 * @returns what is wrong, as the rest of a sentence, unless it is one address
 */
export function readMailbox(text: string, { mayHaveToken = false } = {}): Mailbox | string {
  const whole = text.trim();
  if (isInQuotes(whole)) return `has quotes around the whole of it: ${usage}`;
  if (countAddresses(whole) > 1)
    return `has more than one address, and must have one, also in its name: ${usage}`;
  const [, before, bracketed] = /^(.*)<([^<>]*)>$/su.exec(whole) ?? [];
  const name = unquoted(before ?? '');
  const address = bracketed ?? whole;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  if (at < 1 || /[\s<>]/.test(address) || /[\p{Cc}<>]/u.test(name))
    return `must be one address, or a name and then one address in brackets: ${usage}`;
  if (/[^\0-\x7F]/.test(local))
    return 'has letters before the @ that few mail servers accept: use a-z, digits and signs such as . and -';
  const fixed = mayHaveToken ? local.replace(tokenPlace, '') : local;
  if (/[{}]/.test(fixed + domain))
    return mayHaveToken
      ? `may have ${tokenPlace} once, before the @, and no other braces: write support+${tokenPlace}@example.com`
      : 'must have no braces: they belong into MAIL_REPLY_TO';
  const host = /[%/\\?#:@[\]]/.test(domain) ? '' : domainToASCII(domain);
  if (!atom.test(local) || !isHost(host)) return `has an address that cannot be one: ${usage}`;
  return { name, address: `${local}@${host}` };
}

/** A name without the quotes that headers need. */
function unquoted(name: string): string {
  const [, quoted] = /^"(.*)"$/s.exec(name.trim()) ?? [];
  return quoted === undefined ? name.trim() : quoted.replaceAll(/\\(.)/g, '$1').trim();
}
