/** The facts for agents that a client of the API writes into the last line of a description. Null: not in the line. */
export interface Footer {
  isEmailVerified: boolean | null;
  /** Where the customer wrote from, as the client gave it. */
  page: string | null;
  /** The client's own number of the request. */
  ref: string | null;
  /**
   * Answers to the client's form, files and other facts, as lines such as `Order number: AB-123456`. A reply has no other
   * facts than these.
   */
  details: string[];
  /** Facts of other kinds, as they are in the line. */
  otherFacts: string[];
}

/**
 * Splits a description into the customer's own text and the facts of a last line such as `Deskside: e-mail not verified
 * · page https://shop.example/cart · details 2 · ref DS-7F3KQ2M9XW4T`. Its number of details says how many lines before
 * it the client has added after an empty line. A line without a known fact counts as the customer's text.
 */
export function splitFooter(description: string): { text: string; footer: Footer | null } {
  const trimmed = description.trimEnd();
  const start = trimmed.lastIndexOf('\n') + 1;
  const facts = /^Deskside:\s(.*)$/i.exec(trimmed.slice(start))?.[1];
  const read = facts === undefined ? null : readFacts(facts);
  if (!read) return { text: description, footer: null };
  const { detailCount, ...footer } = read;
  const lines = trimmed.slice(0, start).trimEnd().split('\n');
  // With another layout, the client does not mean these lines.
  const isAlone = detailCount === lines.length;
  const hasDetails = detailCount > 0 && (isAlone || lines.at(-detailCount - 1) === '');
  const details = hasDetails ? lines.splice(-detailCount) : [];
  return { text: lines.join('\n').trimEnd(), footer: { ...footer, details } };
}

/** A line of the details. */
export interface Detail {
  label: string;
  value: string;
  /** Whether the site vouches for it; null for an answer of the customer. */
  isVerified: boolean | null;
}

/**
 * Tells apart the lines of the details: `Deskside: verified · plan: Pro` was said by the site's server; lines such as `-
 * plan: Pro` after `Said by the page (not verified):` by a page, where anybody can change it.
 */
export function readDetails(lines: readonly string[]): Detail[] {
  const heading = lines.indexOf('Said by the page (not verified):');
  return lines.flatMap((line, nth) => {
    if (nth === heading) return [];
    const isSaid = heading >= 0 && nth > heading;
    const [, mark, text] = /^(Deskside: verified · |(?:> )?- )?(.*)$/.exec(line)!;
    const isVerified = isSaid ? false : mark === 'Deskside: verified · ' ? true : null;
    const [label, ...value] = (isVerified === null ? line : text!).split(': ');
    return [{ label: label!, value: value.join(': '), isVerified }];
  });
}

function readFacts(line: string): (Omit<Footer, 'details'> & { detailCount: number }) | null {
  const footer: Omit<Footer, 'details'> = { isEmailVerified: null, page: null, ref: null, otherFacts: [] };
  let detailCount = 0;
  for (const fact of line.split('·').map((part) => part.trim())) {
    const email = /^e-?mail (not )?verified$/i.exec(fact);
    const named = /^(page|ref|details) (\S+)$/i.exec(fact);
    const name = named?.[1]?.toLowerCase();
    if (email) footer.isEmailVerified = email[1] === undefined;
    else if (name === 'page' || name === 'ref') footer[name] = named![2]!;
    else if (name === 'details' && /^[1-9]\d?$/.test(named![2]!)) detailCount = Number(named![2]);
    else if (fact !== '') footer.otherFacts.push(fact);
  }
  const isOurs = footer.isEmailVerified !== null || footer.ref !== null || /^details [1-9]\d?$/.test(line);
  return isOurs ? { ...footer, detailCount } : null;
}
