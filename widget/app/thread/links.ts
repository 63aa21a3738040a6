export interface Piece {
  text: string;
  /** The address of a safe link, whose `text` may be shortened. */
  href?: string;
  code?: 'inline' | 'block';
}

// SECURITY: only these schemes become links. All others, such as javascript: and data:, stay text.
// Punctuation at the end belongs to the sentence, not to the link.
const link = /\b(?:https?:\/\/|mailto:)[^\s<>"]*[^\s<>"'.,;:!?)\]}*_~]/gi;

// SECURITY: links that can look like another site stay text: a user name before an @, letters that only look Latin,
// characters that change the direction of the text.
const plain = /^(?:mailto:[!-~]+|https?:\/\/[\w.-]+(?::\d+)?(?:[/?#]\P{Cf}*)?)$/iu;

// SECURITY: the host is never cut off.
const shorten = (href: string) => href.replace(/^(\w+:\/\/[^/?#]+[/?#].{23}).{9,}/u, '$1…');

/** Splits a text into plain pieces and links. */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: href, index } of text.matchAll(link)) {
    if (!plain.test(href) || !URL.canParse(href)) continue;
    pieces.push({ text: text.slice(done, index) }, { text: shorten(href), href });
    done = index + href.length;
  }
  return [...pieces, { text: text.slice(done) }];
}
