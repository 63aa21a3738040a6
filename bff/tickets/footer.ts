import { maxSentDescription } from '../contract/limits.ts';
import { createLookalikes } from '../text/lookalikes.ts';
import { canonical } from '../text/canonical.ts';

/** v1 has no field for what agents should know, so the BFF ends a description with one line of its own. */
export interface FooterFacts {
  isVerified: boolean;
  pageUrl: string | undefined;
  /** The operation's ref, such as `DS-7F3KQ2M9XW4T`. */
  ref: string;
}

const footerLine = /^Deskside: e-mail (?:not )?verified(?: · page \S+)? · ref (DS-[0-9A-Z]{12})$/;
const lookalikes = createLookalikes('deskside');

const footer = ({ isVerified, ref }: Omit<FooterFacts, 'pageUrl'>, page = '') =>
  `\n\nDeskside: e-mail ${isVerified ? 'verified' : 'not verified'}${page} · ref ${ref}`;
const longestWithoutPage = footer({ isVerified: false, ref: 'DS-0123456789AB' }).length;

/** The part of our line that names the page, in `room` UTF-16 units: shortened, or empty where little is left. */
function pagePart(pageUrl: string | undefined, room: number): string {
  if (!pageUrl || !URL.canParse(pageUrl)) return '';
  // As ASCII: no character in it can break our line, reverse its direction or leave a gap.
  const page = ` · page ${new URL(pageUrl).href}`;
  if (page.length <= room) return page;
  return room < 40 ? '' : `${page.slice(0, room - 1)}…`;
}

/** Whether our line has room after this text, in canonical form: only hundreds of look-alike lines leave none. */
export const leavesRoom = (description: string) =>
  lookalikes.quote(description).length + longestWithoutPage <= maxSentDescription;

/**
 * The description as the service gets it: look-alike lines quoted, our line last. With a description that leaves room
 * it is at most 20,000 UTF-16 units long. `facts`: null for no line.
 */
export function addFooter(description: string, facts: FooterFacts | null): string {
  const text = lookalikes.quote(canonical(description));
  if (!facts) return text;
  const room = maxSentDescription - text.length - footer(facts).length;
  return text + footer(facts, pagePart(facts.pageUrl, room));
}

/** The customer's own text in canonical form: the description without our line and our quotes. */
export function cutFooter(description: string): string {
  const text = canonical(description);
  const start = text.lastIndexOf('\n') + 1;
  return lookalikes.unquote(footerLine.test(text.slice(start)) ? text.slice(0, start).trimEnd() : text);
}

/** The ref in the last line of a description; null where there is none. */
export function refOf(description: string): string | null {
  const end = description.trimEnd();
  return footerLine.exec(end.slice(end.lastIndexOf('\n') + 1))?.[1] ?? null;
}
