export interface LinkPiece {
  text: string;
  /** The address of a safe link, whose `text` may be shortened. */
  href?: string;
}

// SECURITY: only these schemes become links. All others, such as javascript: and data:, stay text.
// Spaces and the quotes, brackets and stops of other scripts end an address. A telephone number has its country's code.
// A word that begins no address is matched as a whole, so that each letter is looked at once.
const candidate =
  /(?:https?:\/\/|www\.|mailto:)[^\s<>"“”„«»‹›「」『』《》〈〉【】（）［］。｡，、；：！？｜]*|[a-z0-9][\w.+-]*(?:@[a-z0-9-]+(?:\.[a-z0-9-]+)+)?|\+[1-9](?:[ ()./-]{0,2}\d){6,14}/gi;

// SECURITY: links that can look like another site stay text: a user name before an @, letters that only look Latin,
// characters that change the direction of the text. U+200C and U+200D are parts of words in some scripts.
const plain =
  /^(?:mailto:[!-~]+|tel:\+\d+|https?:\/\/[a-z0-9][\w.-]*(?::\d+)?(?:[/?#](?:[\u200c\u200d]|\P{Cf})*)?)$/iu;

/** A text in a script without spaces may follow a host at once. It is not Latin, so the host looks like itself. */
const textAfterHost =
  /^((?:https?:\/\/)?[\w.-]+)[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}].*/isu;

// What ends a sentence or a mark of formatting, and what is invisible.
const trailing = /[^\P{P}/#%&@_\p{Pd}\p{Ps}\p{Pe}]|[~`|\u200b\u2060\ufeff]/u;

/** An emphasis may open so far before an address that an underscore at its end closes. */
const farthest = 200;

const openers: Record<string, string> = { ')': '(', ']': '[', '}': '{' };
const isOpener = (letter: string) => '([{'.includes(letter);

/** An address without the sentence around it: it keeps a bracket or apostrophe at its end that belongs to another in it. */
function trim(found: string, before: string): string {
  const address = found.replace(textAfterHost, '$1');
  const isOpened = /\b_/.test(before);
  const open: Record<string, number> = {};
  let apostrophes = 0;
  let end = 0;
  for (; end < address.length; end += 1) {
    const letter = address.charAt(end);
    const kind = openers[letter] ?? letter;
    const change = openers[letter] ? -1 : isOpener(letter) ? 1 : 0;
    const count = (open[kind] ?? 0) + change;
    if (count < 0) break;
    open[kind] = count;
    if (letter === "'") apostrophes += 1;
  }
  for (; end > 0; end -= 1) {
    const letter = address.charAt(end - 1);
    if (letter === "'" && apostrophes-- % 2 === 0) break;
    if (!trailing.test(letter) && !isOpener(letter) && !(isOpened && letter === '_')) break;
  }
  return address.slice(0, end);
}

function addressOf(found: string): string {
  // The zero in brackets is dialled within the country only.
  if (found.startsWith('+')) return `tel:+${found.replace('(0)', '').replace(/\D/g, '')}`;
  if (/^www\./i.test(found)) return `https://${found}`;
  if (/^(?:https?|mailto):/i.test(found)) return found;
  return found.includes('@') ? `mailto:${found}` : '';
}

/** Whether a text can be the address of a link. */
export function isSafeAddress(address: string): boolean {
  if (!plain.test(address)) return false;
  try {
    return Boolean(new URL(address));
  } catch {
    return false;
  }
}

// SECURITY: the host is never cut off.
const shorten = (text: string) => text.replace(/^((?:https?:\/\/|www\.)[^/?#]+[/?#].{23}).{9,}/iu, '$1…');

/** Whether an address does not continue another one, or a word. */
function isApart(href: string, before: string, after: string): boolean {
  if (href.startsWith('tel:')) return !/\d/.test(after);
  return !href.startsWith('mailto:') || (!/[@.+]/.test(before) && !/[@-]/.test(after));
}

interface FoundLink {
  /** Where it begins and ends in the text. */
  from: number;
  to: number;
  href: string;
  /** Its text, which may be shortened. */
  label: string;
}

const isPossible = /^(?:https?:|www\.|mailto:|\+)|@/i;

/** The links in a text: addresses of pages, e-mail addresses and telephone numbers. */
export function findLinks(text: string): FoundLink[] {
  const links: FoundLink[] = [];
  for (const { 0: found, index: from } of text.matchAll(candidate)) {
    if (!isPossible.test(found)) continue;
    const label = trim(found, text.slice(0, from).slice(-farthest));
    const href = addressOf(label);
    if (!isSafeAddress(href) || /^https:\/\/www\.(?!.*\.[a-z])/i.test(href)) continue;
    if (isApart(href, text.charAt(from - 1), text.charAt(from + found.length)))
      links.push({ from, to: from + label.length, href, label: shorten(label) });
  }
  return links;
}

/** Splits a text into plain pieces and links. */
export function splitLinks(text: string): LinkPiece[] {
  const pieces: LinkPiece[] = [];
  let done = 0;
  for (const { from, to, href, label } of findLinks(text)) {
    pieces.push({ text: text.slice(done, from) }, { text: label, href });
    done = to;
  }
  return [...pieces, { text: text.slice(done) }];
}

/** A text that can be read as an address: it has a host, an `@` or a long number, or hides the order of its letters. */
const looksLikeAddress = /[\p{L}\p{N}][.．。｡․]\p{L}|@|:\/\/|\p{Nd}{5}|[\u202a-\u202e\u2066-\u2069]/u;

/**
 * Where a link leads, if its text can be read as another address. SECURITY: to be shown beside the text.
 * @param href a safe address
 */
export function trueAddress(label: string, href: string): string | null {
  if (!looksLikeAddress.test(label)) return null;
  if (href.startsWith('tel:')) return label.replace(/\D/g, '') === href.slice(5) ? null : href.slice(4);
  const isPage = href.startsWith('http');
  const target = isPage ? new URL(href).host : href.slice('mailto:'.length);
  const bare = (text: string) => text.replace(/^(?:https?:\/\/|mailto:)?(?:www\.)?/i, '').toLowerCase();
  const shown = bare(label.trim());
  const isSame = shown.startsWith(bare(target)) && /^(?:[/?#]|$)/.test(shown.slice(bare(target).length));
  return isSame ? null : target;
}
