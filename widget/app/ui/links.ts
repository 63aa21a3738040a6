export interface Piece {
  text: string;
  /** Present when the text is a link that may be followed; a long one is shown shortened. */
  href?: string;
  code?: 'inline' | 'block';
}

// SECURITY: only these schemes become links; everything else, javascript: and data: above all, stays text.
// A link does not end in the punctuation of the sentence around it.
const link = /\b(?:https?:\/\/|mailto:)[^\s<>"]*[^\s<>"'.,;:!?)\]}*_~]/gi;

// SECURITY: what can lead elsewhere than it shows stays text too: a name before an @, letters that only look Latin,
// marks that turn the direction of reading.
const plain = /^(?:mailto:[!-~]+|https?:\/\/[\w.-]+(?::\d+)?(?:[/?#]\P{Cf}*)?)$/iu;

// SECURITY: whose page it leads to is never cut off.
const shorten = (href: string) => href.replace(/^(\w+:\/\/[^/?#]+[/?#].{23}).{9,}/u, '$1…');

/** Cuts a text into plain pieces and links. */
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
