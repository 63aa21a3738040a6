import unhomoglyph from 'unhomoglyph';

/** What leaves no trace on a screen, or no more than a gap; U+2800 is a blank. */
const unseen = /[\p{Z}\p{Cf}\p{DI}\u2800]|[^\P{Cc}\n]/gu;
const bidi = /\p{Bidi_Control}/u;

/** Letters that Unicode counts as no confusables of ours, and are: small capitals, and i, which it takes for an l. */
const ours: Record<string, string> = { l: 'i', ᴅ: 'd', ᴇ: 'e', ꞓ: 'e', ɛ: 'e', ᴋ: 'k', ĸ: 'k' };
const oursIn = new RegExp(`[${Object.keys(ours).join('')}]`, 'g');

/**
 * What a text looks like, for comparing (after UTS #39): equal skeletons look the same. Marks are left out, those that
 * stand beside their letter count as a colon. Lines stay lines.
 */
function skeleton(seen: string): string {
  const plain = unhomoglyph(seen)
    .replace(/\p{Mc}/gu, ':')
    // Before NFKD: it takes the square of the length of a run of marks.
    .replace(/\p{M}/gu, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase();
  return unhomoglyph(plain).replace(oursIn, (letter) => ours[letter]!);
}

/** Longer than any spelling of a name that is looked for and the sign behind it. */
const reach = 80;

/**
 * Whether a line begins with something that looks like `name`, whatever signs, spaces or marks stand before it, and a
 * sign behind it. Marks of direction show a line in another order: with those the name may stand anywhere.
 */
function beginsLike(line: string, seen: string, name: string): boolean {
  if (seen === '') return false;
  if (bidi.test(line)) {
    const whole = skeleton(seen);
    return whole.includes(name) || Array.from(whole).reverse().join('').includes(name);
  }
  // A sign may look like a letter, so the name may begin among the signs that stand before the first letter.
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

/** Tells lines that could pass for one that begins with `name`: small letters, a word of a to z, and a sign behind it. */
export function createLookalikes(name: string) {
  const target = skeleton(name);

  function mapLookalikes(text: string, change: (line: string) => string): string {
    const seen = text.replace(unseen, '').split('\n');
    return text
      .split('\n')
      .map((line, index) => (beginsLike(line, seen[index]!, target) ? change(line) : line))
      .join('\n');
  }

  return {
    /** Puts a quote before each such line, those that begin with a quote included. */
    quote: (text: string) => mapLookalikes(text, (line) => quote + line),
    /** The text as it was. */
    unquote: (text: string) =>
      mapLookalikes(text, (line) => (line.startsWith(quote) ? line.slice(quote.length) : line)),
  };
}
