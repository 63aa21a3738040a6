import { domainToASCII } from 'node:url';
import { codePoints, maxLength } from '../contract/limits.ts';

/** Signs that mail programs read as more than a part of an address, and signs that nobody sees. */
const odd = /[\s<>()[\],;:"\\\p{Cc}\p{Cf}\u2028\u2029]/u;
const parts = /^([^@]+)@([^@]+)$/;

/** One @ with something before it and a host behind it; the rest is for the service and the postman to say. */
export function isAddress(text: string): boolean {
  const [, , domain = ''] = parts.exec(text) ?? [];
  return (
    text.isWellFormed() &&
    codePoints(text) <= maxLength.customer_email &&
    !odd.test(text) &&
    /^[^.]+(\.[^.]+)+$/.test(domainToASCII(domain))
  );
}

/**
 * One spelling of addresses that lead to one mailbox for certain: the domain as DNS has it, and small letters, which no
 * mail server tells from capitals. Other foldings could make two mailboxes one.
 */
export function foldAddress(email: string): string {
  const [, local = email, domain = ''] = parts.exec(email) ?? [];
  return `${local.replace(/[A-Z]/g, (letter) => letter.toLowerCase())}@${domainToASCII(domain)}`;
}
