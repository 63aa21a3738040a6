/*
 * Texts as people type and paste them, for fields that take a code, a number or an address. App and BFF read them alike.
 */

/** Nobody pastes more where a code or an address belongs. It bounds the time that the expressions below take. */
const longest = 1_000;

/** Unseen: marks for direction and joining, soft hyphens, variation selectors. */
const unseen = /[\p{Cf}\p{DI}]/gu;

/** What shows in a text: neither spaces nor what cannot be seen. U+2800 is a blank. */
export const visible = /[^\s\u2800\p{Cf}\p{DI}]/u;
/** Whether a text shows nothing. */
export const isBlank = (text: string): boolean => !visible.test(text);

/** Full-width forms of ASCII, as East Asian keyboards type them, and their full stops. */
const narrow = (text: string) =>
  text
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u3002\uFF61]/g, '.');

/** Digits of every script as 0 to 9. Unicode has them in runs of ten, from zero to nine. */
const western = (text: string) =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const at = digit.codePointAt(0)!;
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value += 1;
    // Some runs follow each other.
    return String(value % 10);
  });

/** A text without what cannot be seen, with ASCII's letters, signs and digits: what its writer meant by `１２‎-٣`. */
export const plainly = (text: string): string =>
  text.length > longest ? text : western(narrow(text.replace(unseen, ''))).trim();

/** What may follow an address in a sentence. */
const afterAddress = /[\s"'“”‘’»)>\],;.]/;

/** The digits of a code, whatever groups or surrounds them. */
export const digitsOf = (text: string): string => plainly(text).replace(/\D/g, '');

/**
 * The address in a text, without what a keyboard or another program has put around it. The check of the address is
 * `bff/core/identity/address.ts`.
 */
export function addressIn(text: string): string {
  if (text.length > longest) return text;
  const seen = narrow(text.replace(unseen, '')).trim();
  // As in `Ada <ada@example.com>`.
  const inner = /<([^<>]*)>/.exec(seen)?.[1] ?? seen;
  const link = /^mailto:([^?]*)/i.exec(inner)?.[1] ?? inner;
  let end = link.length;
  while (afterAddress.test(link.charAt(end - 1))) end -= 1;
  const [local = '', ...domain] = link
    .slice(0, end)
    .replace(/^[\s"'“”„‘’«(<[]+/, '')
    .split('@')
    .map((part) => part.trim());
  // Digits of another script, where all else is ASCII, come from the keyboard. A domain can have them.
  const digits = western(local);
  return [/^[\x21-\x7e]*$/.test(digits) ? digits : local, ...domain].join('@');
}

/** Mailboxes that most people have. Shorter names have neighbours that others really use. */
const providers = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'protonmail.com',
];

/** Whether one slip of the fingers makes one of the other: a letter more, less or wrong, or two swapped. */
function isOneSlip(a: string, b: string): boolean {
  let start = 0;
  while (a[start] !== undefined && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [one, other] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return (one.length < 2 && other.length < 2) || (one.length === 2 && one === `${other[1]}${other[0]}`);
}

/**
 * The domain that was probably meant in a misspelt address, else null. A name with another first letter, such as
 * `ymail.com`, is left alone.
 */
export function meantDomain(address: string): string | null {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  if (domain === address.toLowerCase() || domain.length < 4 || providers.includes(domain)) return null;
  const isMeant = (name: string) =>
    name.startsWith(domain) || (name[0] === domain[0] && isOneSlip(name, domain));
  return (
    providers.find(isMeant) ??
    (/\.(con|cmo|ocm|vom|xom)$/.test(domain) ? domain.replace(/...$/, 'com') : null)
  );
}
