export interface LinkPiece {
  text: string;
  /** The address of a safe link, whose `text` may be shortened. */
  href?: string;
}

// SECURITY: only these schemes become links. All others, such as javascript: and data:, stay text.
// Punctuation at the end belongs to the sentence, not to the link. A telephone number is one with its country's code.
const link =
  /\b(?:https?:\/\/|mailto:)[^\s<>"]*[^\s<>"'.,;:!?)\]}*_~]|(?<![\w.+@-])[a-z0-9][\w.+-]{0,63}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}(?![\w@-])|(?<![\w+])\+[1-9](?:[ ()./-]{0,2}\d){6,14}(?!\d)/gi;

// SECURITY: links that can look like another site stay text: a user name before an @, letters that only look Latin,
// characters that change the direction of the text.
const plain = /^(?:mailto:[!-~]+|tel:\+\d+|https?:\/\/[\w.-]+(?::\d+)?(?:[/?#]\P{Cf}*)?)$/iu;

// SECURITY: the host is never cut off.
const shorten = (href: string) => href.replace(/^(\w+:\/\/[^/?#]+[/?#].{23}).{9,}/u, '$1…');

function addressOf(found: string): string {
  // The zero in brackets is dialled within the country only.
  if (found.startsWith('+')) return `tel:+${found.replace('(0)', '').replace(/\D/g, '')}`;
  return /^\w+:/.test(found) ? found : `mailto:${found}`;
}

/** Splits a text into plain pieces and links: addresses of pages, e-mail addresses and telephone numbers. */
export function splitLinks(text: string): LinkPiece[] {
  const pieces: LinkPiece[] = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(link)) {
    const href = addressOf(found);
    if (!plain.test(href) || !URL.canParse(href)) continue;
    pieces.push({ text: text.slice(done, index) }, { text: shorten(found), href });
    done = index + found.length;
  }
  return [...pieces, { text: text.slice(done) }];
}
