import { type Label, type MailPhrases, mailPhrases } from './phrases.ts';

/*
 * How the parts around the words of an answer look: the line above a quote, the header block of an earlier mail, separators, lines that
 * phones add. It looks at a few lines each and decides nothing about the whole. Searches are plain string searches, so that their time
 * is linear in the text.
 */

const languages = Object.values(mailPhrases);
const all = (of: keyof MailPhrases) => languages.flatMap((each) => each[of]);
const lower = (texts: readonly string[]) => texts.map((text) => text.toLowerCase());

/** Marks of the writing direction, which programs put around names and addresses. */
const direction = /[\u200E\u200F\u202A-\u202E\u2066-\u2069\u061C]/g;
const decoration = new Set('-_=*~|•— \t\u00A0');

/** A line without what programs draw around it. */
export function bare(line: string): string {
  const text = line.replaceAll(direction, '');
  let start = 0;
  let end = text.length;
  while (start < end && decoration.has(text[start] ?? '')) start += 1;
  while (end > start && decoration.has(text[end - 1] ?? '')) end -= 1;
  return text.slice(start, end);
}

export const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';
/** Whether a line has a quote mark. A `>:` is the end of an address that was wrapped. */
export const isQuoted = (line: string | undefined): boolean =>
  line !== undefined && /^ ? ?>/.test(line) && line.trim() !== '>:';
/** Whether a line only separates. */
export const isSeparator = (line: string): boolean => bare(line) === '' && line.trim().length > 1;

/** A quoted line without one level of marks. */
export const unquoted = (line: string): string => line.replace(/^ ? ?> ?/, '');

/** A year, a time of day or a date in digits of any script. */
const dateLike =
  /(?:^|[^\p{Nd}])(?:(?:19|20|13|14|25)\p{Nd}\p{Nd}|\p{Nd}\p{Nd}?[:.]\p{Nd}\p{Nd}|\p{Nd}\p{Nd}?[./-]\p{Nd}\p{Nd}?[./-]\p{Nd}\p{Nd}|[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F]{4})(?:$|[^\p{Nd}])/u;
const letter = /\p{L}/u;

/** Whether a text has the words, not as a part of a longer word. Chinese, Japanese and Korean have no spaces between words. */
function hasWords(text: string, words: string): boolean {
  const at = text.indexOf(words);
  if (at < 0) return false;
  if (/[\u3000-\u9FFF\uAC00-\uD7AF]/.test(words)) return true;
  return !letter.test(text[at - 1] ?? '') && !letter.test(text[at + words.length] ?? '');
}

/** The longest line above a quote, such as one with two addresses that were wrapped. */
const maxIntroduction = 500;
const maxIntroductionLines = 5;

/** Whether a text is the line above a quote: who wrote it, and when. */
function introduces(text: string, quoteFollows: boolean): boolean {
  if (text.length < 6 || text.length > maxIntroduction) return false;
  const last = text.at(-1);
  const hasColon = last === ':' || last === '：';
  const body = hasColon ? text.slice(0, -1).trimEnd() : text;
  const hasAddress = body.includes('@');
  if (!hasColon && !hasAddress) return false;
  const hasDate = dateLike.test(body);
  for (const { opens, wrote } of languages) {
    const isOpened = opens.some((open) => text.startsWith(open));
    const ends = wrote.some((verb) => body.endsWith(verb) && hasWords(body, verb));
    if (ends && hasColon && ((hasDate && hasAddress) || quoteFollows)) return true;
    if (!isOpened && opens.length > 0 && !quoteFollows) continue;
    if (ends && (hasDate || hasAddress) && (hasColon || (isOpened && hasAddress))) return true;
    if (
      hasColon &&
      (isOpened || quoteFollows) &&
      (hasDate || hasAddress) &&
      wrote.some((verb) => hasWords(body, verb))
    )
      return true;
  }
  // Without a verb: the date, the name and the address, as by Gmail and Yandex in Russian.
  if (hasColon && hasDate && hasAddress && (body.endsWith('>') || body.endsWith(')'))) return true;
  return hasColon && hasDate && quoteFollows;
}

const isOpening = (line: string) =>
  languages.some(({ opens }) => opens.some((open) => line.startsWith(open)));

/** How many lines from `index` on introduce a quote: 0 if they do not. */
export function introductionAt(lines: readonly string[], index: number): number {
  const begin = bare(lines[index] ?? '');
  const isOpened = isOpening(begin);
  let joined = '';
  for (let count = 1; count <= maxIntroductionLines; count += 1) {
    const line = lines[index + count - 1];
    if (isBlank(line) || isQuoted(line) || joined.length + (line?.length ?? 0) > maxIntroduction) return 0;
    if (count > 1) {
      const next = bare(line ?? '');
      // A line of words may stand right above. What introduces begins as late as it can.
      if (!isOpened && !dateLike.test(begin)) return 0;
      if (isOpening(next) || (!isOpened && dateLike.test(next))) return 0;
    }
    joined = `${joined} ${(line ?? '').trim()}`;
    let next = index + count;
    while (next < index + count + 3 && isBlank(lines[next])) next += 1;
    if (introduces(bare(joined), isQuoted(lines[next]))) return count;
  }
  return 0;
}

const labels = new Map<string, Set<Label>>();
for (const kind of ['from', 'date', 'to', 'subject'] as const)
  for (const word of lower(all(kind))) labels.set(word, (labels.get(word) ?? new Set()).add(kind));
for (const word of ['cc', 'kopie', 'copie à', 'bcc', 'reply-to', 'importance']) labels.set(word, new Set());

/** What the label of a line can mean. Null for a line without one. */
function labelOf(line: string): Set<Label> | null {
  const text = bare(line);
  const ascii = text.indexOf(':');
  const wide = text.indexOf('：');
  const end = ascii < 0 ? wide : wide < 0 ? ascii : Math.min(ascii, wide);
  if (end < 1 || end > 24) return null;
  return labels.get(bare(text.slice(0, end)).toLowerCase()) ?? null;
}

/** The longest header block, with recipients over several lines. */
const maxHeaderBlock = 14;

/**
 * Whether a header block of an earlier mail begins at a line: at least three of From, date, To and Subject, of these From, and a subject
 * or an address. So a list such as "From: Berlin, To: Paris" is none.
 */
export function headerBlockAt(lines: readonly string[], index: number): boolean {
  if (!labelOf(lines[index] ?? '')) return false;
  const found = new Set<Label>();
  let hasAddress = false;
  let count = 0;
  for (let at = index; at < lines.length && at < index + maxHeaderBlock; at += 1) {
    const line = lines[at] ?? '';
    if (isBlank(line)) break;
    const label = labelOf(line);
    if (label) count += 1;
    for (const kind of label ?? []) found.add(kind);
    hasAddress ||= line.includes('@');
  }
  const kinds = found.size;
  return count >= 3 && kinds >= 3 && found.has('from') && (found.has('subject') || hasAddress);
}

const original = new Set(lower(all('original')));
const forwarded = lower(all('forwarded'));

/** Whether a line says between dashes that an earlier mail follows. */
export function isOriginalSeparator(line: string): boolean {
  const text = line.trim();
  return /^[-_=]{2}/.test(text) && text.length < 100 && original.has(bare(text).toLowerCase());
}

/** Whether a line says that a forwarded mail follows. What is forwarded is new here. */
export function isForward(line: string): boolean {
  const text = line.trim();
  if (text.length > 120 || !(/^[-_=]{2}/.test(text) || text.endsWith(':'))) return false;
  const words = bare(text).toLowerCase();
  return forwarded.some(
    (phrase) => words === phrase || words === `${phrase}:` || words.startsWith(`${phrase} `),
  );
}

const devices = lower(all('device')).map((phrase) => phrase.split('…') as [string, string]);
const maxDeviceLine = 70;

/** A line without links, as `Outlook for iOS<https://…>` has one. */
const link = /[<([](?:https?:|mailto:|www\.)[^<>()[\]]*[>)\]]/gi;
const withoutLinks = (line: string) => line.replaceAll(link, '');

/** Whether a line is the one that a phone or an app adds. A sentence is none: it has a comma or ends as one. */
export function isDeviceLine(line: string): boolean {
  const text = bare(withoutLinks(line.slice(0, 1_000))).toLowerCase();
  if (text === '' || text.length > maxDeviceLine || /[.!?,;:。！？]$/.test(text) || /[,;，] /.test(text))
    return false;
  return devices.some(
    ([start, end]) => text.startsWith(start) && text.endsWith(end) && text.length > start.length + end.length,
  );
}

const contact = /@|www\.|https?:|\p{Nd}[\p{Nd} ()/.-]{5}/u;

/**
 * Whether a line of dashes begins a signature: a few short lines to the end, none a sentence. Below a long dash, which people draw too,
 * one of them says how to reach the sender.
 */
export function isSignatureStart(lines: readonly string[], index: number): boolean {
  const line = lines[index] ?? '';
  if (line === '-- ') return true;
  const text = line.trim();
  const isUsual = text === '--' || text === '__';
  if (!isUsual && !/^[—–]+$/.test(text)) return false;
  let count = 0;
  let hasContact = false;
  for (let at = index + 1; at < lines.length; at += 1) {
    const below = (lines[at] ?? '').trim();
    if (below === '') continue;
    count += 1;
    if (count > 8 || below.length > 80 || /[.!?。！？]$/.test(below)) return false;
    hasContact ||= contact.test(below);
  }
  return count > 0 && (isUsual || hasContact);
}
