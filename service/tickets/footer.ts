/** The facts for agents that a client of the API writes into the last line of a description. Null: not in the line. */
export interface Footer {
  isEmailVerified: boolean | null;
  /** Where the customer wrote from, as the client gave it. */
  page: string | null;
  /** The client's own number of the request. */
  ref: string | null;
  /** Facts of other kinds, as they are in the line. */
  otherFacts: string[];
}

/**
 * Splits a description into the customer's own text and the facts of a last line such as `Deskside: e-mail not verified
 * · page https://shop.example/cart · ref DS-7F3KQ2M9XW4T`. A line without a known fact counts as the customer's text.
 */
export function splitFooter(description: string): { text: string; footer: Footer | null } {
  const trimmed = description.trimEnd();
  const start = trimmed.lastIndexOf('\n') + 1;
  const facts = /^Deskside:\s(.*)$/i.exec(trimmed.slice(start))?.[1];
  const footer = facts === undefined ? null : readFacts(facts);
  return footer ? { text: trimmed.slice(0, start).trimEnd(), footer } : { text: description, footer: null };
}

function readFacts(line: string): Footer | null {
  const footer: Footer = { isEmailVerified: null, page: null, ref: null, otherFacts: [] };
  for (const fact of line.split('·').map((part) => part.trim())) {
    const email = /^e-?mail (not )?verified$/i.exec(fact);
    const named = /^(page|ref) (\S+)$/i.exec(fact);
    if (email) footer.isEmailVerified = email[1] === undefined;
    else if (named?.[1]?.toLowerCase() === 'page') footer.page = named[2]!;
    else if (named) footer.ref = named[2]!;
    // `details 3`: how many lines of the text the client has added. Agents read them in the text.
    else if (fact !== '' && !/^details \d+$/i.test(fact)) footer.otherFacts.push(fact);
  }
  return footer.isEmailVerified === null && footer.ref === null ? null : footer;
}
