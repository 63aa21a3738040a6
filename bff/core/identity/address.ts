import { domainToASCII, domainToUnicode } from 'node:url';
import { maxLength } from '../../../shared/contract/limits.ts';
import { composed } from '../text/canonical.ts';

/** Characters that separate addresses in mail programs, and invisible characters. */
const odd = /[\s<>()[\],;:"\\\p{Cc}\p{Cf}\u2028\u2029]/u;
const parts = /^([^@]+)@([\p{L}\p{M}\p{Nd}.-]+)$/u;
const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;

/**
 * The name in its DNS form. Null unless it is a name of at least two labels.
 * SECURITY: `domainToASCII` parses its argument as a part of a URL, and cuts or decodes it. Its result is used only if it
 * is the same name.
 */
function readDomain(text: string): string | null {
  const name = text.normalize('NFKC').toLowerCase();
  const ascii = domainToASCII(name);
  const readable = domainToUnicode(ascii);
  if (ascii !== name && readable !== name) return null;
  // Empty Punycode: Node 20 refuses it, and Node 24 leaves it unchanged.
  if (/(^|\.)xn--/.test(readable)) return null;
  const labels = ascii.split('.');
  const isHost = labels.length > 1 && labels.every((each) => label.test(each));
  return isHost && !/^\d+$/.test(labels.at(-1)!) ? ascii : null;
}

/**
 * The normalized spelling in which an address is proven, stored, compared and mailed. Null for an invalid address. The
 * domain is as in DNS. ASCII letters are in lower case, since no mail server distinguishes case. Other foldings could
 * turn two mailboxes into one. Only the mail server knows whether the part before the @ exists.
 */
export function readAddress(text: string): string | null {
  if (text.length > maxLength.customer_email || !text.isWellFormed()) return null;
  const address = composed(text);
  const [, local = '', host = ''] = odd.test(address) ? [] : (parts.exec(address) ?? []);
  const domain = readDomain(host);
  if (domain === null) return null;
  const folded = `${local.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${domain}`;
  return folded.length <= maxLength.customer_email ? folded : null;
}
