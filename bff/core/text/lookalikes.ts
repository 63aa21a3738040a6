import unhomoglyph from 'unhomoglyph';

/** Characters that are invisible or look like a space. U+2800 is a blank. */
const unseen = /[\p{Z}\p{Cf}\p{DI}\u2800]|[^\P{Cc}\n]/gu;
const bidi = /\p{Bidi_Control}/u;

/** Letters that look like ours but are not confusables in Unicode: small capitals, and i, which Unicode maps to l. */
const ours: Record<string, string> = { l: 'i', ᴅ: 'd', ᴇ: 'e', ꞓ: 'e', ɛ: 'e', ᴋ: 'k', ĸ: 'k' };
const oursIn = new RegExp(`[${Object.keys(ours).join('')}]`, 'g');

/**
 * The skeleton of a text, for comparing (after UTS #39): equal skeletons look the same. Marks are left out, except
 * that marks beside their letter count as a colon. Line breaks are kept.
 */
function skeleton(seen: string): string {
  const plain = unhomoglyph(seen)
    .replace(/\p{Mc}/gu, ':')
    // Must come before NFKD, which takes time by the square of the length of a run of marks.
    .replace(/\p{M}/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return unhomoglyph(plain).replace(oursIn, (letter) => ours[letter]!);
}

/** Longer than any spelling of the name with the sign after it. */
const reach = 80;

/**
 * Whether a line begins with a look-alike of `name` followed by a sign, after any signs, spaces or marks. Characters
 * for text direction can show a line in another order, so with those the name may be anywhere. `whole`: the skeleton of
 * `seen`.
 */
function beginsLike(line: string, seen: string, whole: string, name: string): boolean {
  const isIn = whole.includes(name);
  if (bidi.test(line)) return isIn || Array.from(whole).reverse().join('').includes(name);
  if (!isIn) return false;
  // A sign may look like a letter, so the name may begin among the signs before the first letter.
  const signs = /^[^\p{L}\p{N}]*/u.exec(seen)![0];
  const start = skeleton(seen.slice(0, signs.length + reach));
  const latest = skeleton(signs).length;
  for (let at = start.indexOf(name); at >= 0 && at <= latest; at = start.indexOf(name, at + 1)) {
    const next = start.codePointAt(at + name.length);
    if (next !== undefined && !/[\p{L}\p{N}]/u.test(String.fromCodePoint(next))) return true;
  }
  return false;
}

const quote = '> ';

/**
 * Finds lines that look as if they begin with `name`, which is a word of a to z in lower case, followed by a sign.
 */
export function createLookalikes(name: string) {
  const target = skeleton(name);

  function mapLookalikes(text: string, change: (line: string) => string): string {
    const seen = text.replace(unseen, '');
    // Of all lines at once: a text may have thousands, and hardly any is like the name.
    const whole = skeleton(seen);
    if (!whole.includes(target) && !bidi.test(text)) return text;
    const seenLines = seen.split('\n');
    const skeletons = whole.split('\n');
    return text
      .split('\n')
      .map((line, at) => (beginsLike(line, seenLines[at]!, skeletons[at]!, target) ? change(line) : line))
      .join('\n');
  }

  return {
    /** Puts a quote mark before each look-alike line, also before those that begin with one. */
    quote: (text: string) => mapLookalikes(text, (line) => quote + line),
    /** Reverses `quote`. */
    unquote: (text: string) =>
      mapLookalikes(text, (line) => (line.startsWith(quote) ? line.slice(quote.length) : line)),
  };
}
