import { maxSentDescription, maxLength } from '../../../shared/contract/limits.ts';
import { createLookalikes } from '../text/lookalikes.ts';
import { canonical } from '../text/canonical.ts';

/**
 * The facts in the line that the BFF appends to a description, since v1 has no field for agents only. Answers to the
 * operator's form are in the lines before this line, which contains their number.
 */
export interface FooterFacts {
  isVerified: boolean;
  pageUrl: string | undefined;
  /** The operation's ref, such as `DS-7F3KQ2M9XW4T`. */
  ref: string;
  /** Lines without line breaks, at most 99. */
  details?: readonly string[] | undefined;
}

const footerLine =
  /^Deskside: e-mail (?:not )?verified(?: · page \S+)?(?: · details (?<details>[1-9]\d?))? · ref (?<ref>DS-[0-9A-Z]{12})$/;
const lookalikes = createLookalikes('deskside');

function footer({ isVerified, ref, details = [] }: Omit<FooterFacts, 'pageUrl'>, page = ''): string {
  const block = details.length > 0 ? `\n\n${lookalikes.quote(details.join('\n'))}` : '';
  const count = details.length > 0 ? ` · details ${details.length}` : '';
  return `${block}\n\nDeskside: e-mail ${isVerified ? 'verified' : 'not verified'}${page}${count} · ref ${ref}`;
}
const longestWithoutPage = (details: readonly string[]) =>
  footer({ isVerified: false, ref: 'DS-0123456789AB', details }).length;

/**
 * The part of our line that names the page, within `room` UTF-16 units. It is shortened, or empty when there is
 * little room.
 */
function pagePart(pageUrl: string | undefined, room: number): string {
  if (!pageUrl || !URL.canParse(pageUrl)) return '';
  // In ASCII, so that no character can break our line, reverse its direction or leave a gap.
  const page = ` · page ${new URL(pageUrl).href}`;
  if (page.length <= room) return page;
  return room < 40 ? '' : `${page.slice(0, room - 1)}…`;
}

/**
 * Whether our lines fit after this text, which is in canonical form. Without details, only a text with hundreds of
 * look-alike lines leaves no room.
 */
export const leavesRoom = (description: string, details: readonly string[] = []) =>
  lookalikes.quote(description).length + longestWithoutPage(details) <= maxSentDescription;

/**
 * The description as it is sent to the service, with look-alike lines quoted and our line last. If the description
 * leaves room, the result has at most 20,000 UTF-16 units. `facts`: null for no line.
 */
export function addFooter(description: string, facts: FooterFacts | null): string {
  const text = lookalikes.quote(canonical(description));
  if (!facts) return text;
  const room = maxSentDescription - text.length - footer(facts).length;
  return text + footer(facts, pagePart(facts.pageUrl, room));
}

/** The customer's own text in canonical form, without our lines and quote marks. */
export function cutFooter(description: string): string {
  const text = canonical(description);
  const start = text.lastIndexOf('\n') + 1;
  const ours = footerLine.exec(text.slice(start))?.groups;
  if (!ours) return lookalikes.unquote(text);
  const rest = text.slice(0, start).trimEnd();
  return lookalikes.unquote(ours['details'] ? cutLines(rest, Number(ours['details'])) : rest);
}

const cutLines = (text: string, count: number) => text.split('\n').slice(0, -count).join('\n').trimEnd();

/** The ref in the last line of a description. Null when there is none. */
export function refOf(description: string): string | null {
  const end = description.trimEnd();
  return footerLine.exec(end.slice(end.lastIndexOf('\n') + 1))?.groups!['ref'] ?? null;
}

const maxChars: Record<string, number> = { ...maxLength, description: maxSentDescription };

/**
 * Whether a service that counts differently than in UTF-16 units could find one of these texts too long. No usual way
 * of counting gives more than the bytes of UTF-8.
 */
export const isPerhapsTooLong = (payload: object): boolean =>
  Object.entries(payload).some(
    ([name, text]) => typeof text === 'string' && Buffer.byteLength(text) > (maxChars[name] ?? Infinity),
  );
