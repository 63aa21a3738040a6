import type { Attributes } from '../../../shared/contract/attributes.ts';
import { maxSentDescription, maxLength } from '../../../shared/contract/limits.ts';
import { createLookalikes } from '../text/lookalikes.ts';
import { canonical } from '../text/canonical.ts';

/**
 * The facts in the line that the BFF appends to a description, since v1 has no field for agents only. Answers to the
 * operator's form, and what page and site say, are in the lines before this line, which contains their number.
 */
export interface FooterFacts {
  isVerified: boolean;
  pageUrl: string | undefined;
  /** The operation's ref, such as `DS-7F3KQ2M9XW4T`. */
  ref: string;
  /** Answers to the form, and files: lines without line breaks. */
  details?: readonly string[] | undefined;
  pageTitle?: string | undefined;
  /** Said by the site's server in a token. */
  verified?: Attributes | undefined;
  /** Said by the page, where anybody can change it. */
  said?: Attributes | undefined;
}

/** As many as the last line can count. */
const maxLines = 99;

const footerLine =
  /^Deskside: e-mail (?:not )?verified(?: · page \S+)?(?: · details (?<details>[1-9]\d?))? · ref (?<ref>DS-[0-9A-Z]{12})$/;
/** The last line below lines of ours where there are no facts. */
const countLine = /^Deskside: details (?<details>[1-9]\d?)$/;
const lookalikes = createLookalikes('deskside');

/** Begins like our last line, so that it is quoted in every other text. */
const verifiedMark = 'Deskside: verified · ';
const footerMark = 'Deskside: e-mail ';
const saidHeading = 'Said by the page (not verified):';

const quoted = (lines: readonly string[]) => lines.map((line) => lookalikes.quote(line));
const named = (attributes: Attributes = {}) =>
  Object.entries(attributes).map(([name, value]) => `${name}: ${value}`);

/** What page and site say, the most useful first: where there is no room for all, the last lines are left out. */
function contextLines({ pageTitle, verified, said }: FooterFacts): string[] {
  const unverified = named(said).map((line) => `- ${line}`);
  return [
    ...quoted(pageTitle ? [`Page: ${pageTitle}`] : []),
    ...named(verified).map((line) => verifiedMark + line),
    ...(unverified.length > 0 ? [saidHeading, ...quoted(unverified)] : []),
  ];
}

type Facts = Pick<FooterFacts, 'isVerified' | 'ref'>;

function footer({ isVerified, ref }: Facts, lines: readonly string[], page = ''): string {
  const block = lines.length > 0 ? `\n\n${lines.join('\n')}` : '';
  const count = lines.length > 0 ? ` · details ${lines.length}` : '';
  return `${block}\n\n${footerMark}${isVerified ? 'verified' : 'not verified'}${page}${count} · ref ${ref}`;
}
const longestWithoutPage = (details: readonly string[]) =>
  footer({ isVerified: false, ref: 'DS-0123456789AB' }, quoted(details)).length;

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
 * leaves room, the result has at most 20,000 UTF-16 units. What page and site say gets the room that is left, so no text is
 * refused because of it.
 */
export function addFooter(description: string, facts: FooterFacts): string {
  const text = lookalikes.quote(canonical(description));
  const details = quoted(facts.details ?? []);
  const page = pagePart(facts.pageUrl, maxSentDescription - text.length - footer(facts, details).length);
  const sentWith = (more: readonly string[]) => text + footer(facts, [...details, ...more], page);
  const context = contextLines(facts).slice(0, maxLines - details.length);
  // In bytes, which is the most that a service could count.
  const fits = () =>
    context.at(-1) !== saidHeading && Buffer.byteLength(sentWith(context)) <= maxSentDescription;
  while (context.length > 0 && !fits()) context.pop();
  return sentWith(context);
}

/**
 * A text as it is sent to the service without facts of its sender, such as a reply, with look-alike lines quoted and
 * `details` below it.
 */
export function addLines(body: string, details: readonly string[]): string {
  const text = lookalikes.quote(canonical(body));
  if (details.length === 0) return text;
  return [text, quoted(details).join('\n'), `Deskside: details ${details.length}`]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * A text without our lines where a service has cut the last one off. What a customer writes like these lines is quoted, so they
 * are ours, and so are those right above them.
 */
function cutUnfinished(all: string): string {
  const lines = all.split('\n');
  const at = lines.findIndex((line) => line.startsWith(verifiedMark) || line.startsWith(footerMark));
  return at < 0
    ? all
    : lines
        .slice(0, lines.lastIndexOf('', at) + 1)
        .join('\n')
        .trimEnd();
}

/** A text of a customer as the service has it. */
export interface SplitText {
  /** In canonical form. */
  all: string;
  /** The customer's own text, without quote marks. */
  text: string;
  /** Our lines, which were cut from it. */
  details: readonly string[];
}

/** A text in canonical form, without our lines. */
export function splitFooter(sent: string): SplitText {
  const all = canonical(sent);
  const start = all.lastIndexOf('\n') + 1;
  const last = all.slice(start);
  const ours = (footerLine.exec(last) ?? countLine.exec(last))?.groups;
  if (!ours) return { all, text: lookalikes.unquote(cutUnfinished(all)), details: [] };
  const rest = all.slice(0, start).trimEnd();
  if (!ours['details']) return { all, text: lookalikes.unquote(rest), details: [] };
  const lines = rest.split('\n');
  const details = lines.splice(-Number(ours['details']));
  return { all, text: lookalikes.unquote(lines.join('\n').trimEnd()), details };
}

/** Whether a message has the text of this description, and nothing more, such as another file. */
export const isRepeat = (message: SplitText, description: SplitText): boolean =>
  message.text === description.text && message.details.every((line) => description.details.includes(line));

/** The customer's own text alone. */
export const cutFooter = (sent: string): string => splitFooter(sent).text;

/** The ref in the last line of a description. Null when there is none. */
export function refOf(description: string): string | null {
  const end = description.trimEnd();
  return footerLine.exec(end.slice(end.lastIndexOf('\n') + 1))?.groups!['ref'] ?? null;
}

/** Whether a reply, which is in canonical form, can be sent with these lines. */
export const leavesRoomInReply = (body: string, details: readonly string[] = []) =>
  addLines(body, details).length <= maxLength.body;

const maxChars: Record<string, number> = { ...maxLength, description: maxSentDescription };

/**
 * Whether a service that counts differently than in UTF-16 units could find one of these texts too long. No usual way
 * of counting gives more than the bytes of UTF-8.
 */
export const isPerhapsTooLong = (payload: object): boolean =>
  Object.entries(payload).some(
    ([name, text]) => typeof text === 'string' && Buffer.byteLength(text) > (maxChars[name] ?? Infinity),
  );
