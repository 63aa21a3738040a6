import { codePoints, maxLength } from '../contract/limits.ts';

/** v1 has no field for what agents should know, so the BFF ends a description with one line of its own. */
export interface FooterFacts {
  isVerified: boolean;
  pageUrl: string | undefined;
  /** The operation's ref, such as `DS-7F3KQ2M9XW4T`. */
  ref: string;
}

const mark = 'Deskside:';
const footerLine = /^Deskside: e-mail (?:not )?verified(?: · page \S+)? · ref (DS-[0-9A-Z]{12})$/;
/**
 * A line that could pass for ours, whatever spaces, dashes or quotes stand before it.
 * SECURITY: one class and one star: each character can match in one way only, so a hostile line costs its length.
 */
const lookalike = /^(?=[\p{P}\p{S}\p{Cf}\p{Z}\t\v\f\r]*deskside[\p{Z}\t]*:)./gimu;
const quote = '> ';
const quoted = /^> (?=[\p{P}\p{S}\p{Cf}\p{Z}\t\v\f\r]*deskside[\p{Z}\t]*:)/gimu;

/**
 * The description as the service gets it: look-alike lines quoted, our line last. Where the customer's text needs the
 * room (20,000 code points are theirs) the line gives way.
 */
export function addFooter(description: string, facts: FooterFacts | null): string {
  const safe = description.replace(lookalike, `${quote}$&`);
  const isRoomy = codePoints(safe) <= maxLength.description;
  const text = isRoomy ? safe : description.replace(lookalike, '>');
  if (!facts) return text;
  const page = facts.pageUrl ? ` · page ${facts.pageUrl.replace(/\s/g, '%20')}` : '';
  const line = (middle: string) =>
    `\n\n${mark} e-mail ${facts.isVerified ? 'verified' : 'not verified'}${middle} · ref ${facts.ref}`;
  const fits = [line(page), line('')].find(
    (end) => codePoints(text) + codePoints(end) <= maxLength.description,
  );
  return text + (fits ?? '');
}

/** The customer's own text: the description without our line and our quotes. */
export function cutFooter(description: string): string {
  const end = description.trimEnd();
  const start = end.lastIndexOf('\n') + 1;
  const text = footerLine.test(end.slice(start)) ? end.slice(0, start).trimEnd() : description;
  return text.replace(quoted, '');
}

/** The ref in the last line of a description; null where there is none. */
export function refOf(description: string): string | null {
  const end = description.trimEnd();
  return footerLine.exec(end.slice(end.lastIndexOf('\n') + 1))?.[1] ?? null;
}
