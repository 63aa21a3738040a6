/** A run of a text; with `href` it is a link. */
export interface Piece {
  text: string;
  href?: string;
}

// A link does not end in the punctuation of the sentence around it.
const link = /\bhttps?:\/\/[^\s<>"]*[^\s<>"'.,;:!?)\]}*_~]/gi;

// SECURITY: an address that can lead to another place than it shows stays text: a name before an @, letters that only
// look Latin, marks that change the direction of the text.
const plain = /^https?:\/\/[\w.-]+(?::\d+)?(?:[/?#]\P{Cf}*)?$/iu;

/**
 * SECURITY: only http and https addresses become links; everything else stays text, most importantly javascript: and
 * data:.
 */
export function splitLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: href, index } of text.matchAll(link)) {
    if (!plain.test(href) || !URL.canParse(href)) continue;
    pieces.push({ text: text.slice(done, index) }, { text: href, href });
    done = index + href.length;
  }
  return [...pieces, { text: text.slice(done) }];
}
