/*
 * Finds what a mail program has quoted in an answer. It knows the form of a quote, not the sentences of programs: these
 * are too many in too many languages. In doubt nothing is quoted text.
 */

export interface QuotedParts {
  before: string;
  quoted: string;
  after: string;
}

const quoteSign = /^\s{0,3}>/;
const isQuoteLine = (line: string) => quoteSign.test(line);
const isBlank = (line: string) => line.trim() === '';

/** A line of a mail's header, such as `From: Ada <ada@example.com>`. */
const headerLine = /^[\s>*]{0,8}\p{L}[\p{L}\p{M}\p{Zs}.'’-]{0,24}\*?\p{Zs}?[:：]/u;
const fromLine =
  /^[\s>*]{0,8}(?:from|von|de|da|van|fra|från|od|ze|от|от кого|від|kimden|gönderen|feladó|lähettäjä|saatja|nuo|siuntėjas|no|από|发件人|寄件者|寄件人|差出人|送信者|보낸 ?사람|từ|จาก|من|מאת|از|प्रेषक)\*?\p{Zs}?[:：]/iu;
const address = /[^\s<>@()]@[^\s<>@()]/u;
/** Such as `-----Original Message-----` and the line that Outlook draws. */
const separator = /^\s{0,3}(?:-{2,}\p{Zs}?[^-\s].*[^-\s]\p{Zs}?-{2,}|_{8,})\s{0,3}$/u;
/** The end of `On Monday, Ada <ada@example.com> wrote:`; some programs name the day last. */
const endOfIntroduction = /<[^\s<>@]+@[^\s<>@]+>[^<>]{0,60}[:：]\s*$/u;

/** Whether a text without its addresses has a date: numbers, in any script. */
const hasDate = (text: string) =>
  [
    ...text
      .split(/\s/)
      .filter((word) => !word.includes('@'))
      .join(' ')
      .matchAll(/\p{Nd}+/gu),
  ].length >= 2;

/** Invisible marks of direction, and signs of quotes, are no part of a line's words. */
const bare = (line: string) => line.replace(/\p{Cf}/gu, '').replace(/^[\s>]+/, '');

/** Lines within fences of code. */
function fenced(lines: readonly string[]): boolean[] {
  let isInside = false;
  return lines.map((line) => {
    const isFence = line.includes('```');
    if (isFence && line.split('```').length % 2 === 0) isInside = !isInside;
    return isFence || isInside;
  });
}

/** The first line of the introduction that ends in this line, of four at most. Null where it is none. */
function introductionAt(
  lines: readonly string[],
  last: number,
): { first: number; isCertain: boolean } | null {
  if (!/[:：]\s*$/.test(bare(lines[last]!))) return null;
  let text = '';
  for (let first = last; first >= 0 && first > last - 4 && !isBlank(lines[first]!); first -= 1) {
    text = `${bare(lines[first]!)} ${text}`;
    if (text.length > 400) return null;
    if (!hasDate(text)) continue;
    const above = lines[first - 1] ?? '';
    const isContinued = /\p{Nd}/u.test(above) && above.trimEnd().endsWith(',');
    return { first: isContinued ? first - 1 : first, isCertain: endOfIntroduction.test(text) };
  }
  return null;
}

/** Whether the header of a mail begins in this line. */
function isHeader(lines: readonly string[], first: number): boolean {
  const isAfterSeparator = separator.test(lines[first]!);
  let at = isAfterSeparator ? first + 1 : first;
  if (isAfterSeparator) while (at < first + 3 && at < lines.length && isBlank(lines[at]!)) at += 1;
  const header: string[] = [];
  for (; at < lines.length && header.length < 6 && headerLine.test(lines[at]!); at += 1)
    header.push(lines[at]!);
  if (isAfterSeparator) return header.length >= 2;
  // A customer may write about "From: Berlin, To: Paris". A mail comes from an address.
  return header.length >= 3 && fromLine.test(header[0]!) && address.test(header[0]!);
}

/** A mail that is passed on is what its sender wants to be read. */
const forwarded =
  /forward|weitergeleit|transf[eé]r|inoltrat|doorgestuurd|reenvia|encaminhad|przekazan|переслан|пересыл|iletil|转发|轉寄|転送|전달|videresend|vidarebefordra/iu;

/** Such as `---- On Monday, ada@example.com wrote ----`. */
const isRuledIntroduction = (line: string) =>
  /^\s{0,3}-{3,}/.test(line) && separator.test(line) && address.test(line) && hasDate(line);

/** The lines from `from` up to, not including, `to` in which a mail is quoted. */
function findQuote(lines: readonly string[]): { from: number; to: number } | null {
  const isCode = fenced(lines);
  /** By line: the first one after it that is not blank; -1 where all are. */
  const following: number[] = [];
  lines.reduceRight((next, line, at) => {
    following[at] = next;
    return isBlank(line) ? next : at;
  }, -1);
  for (const [at, line] of lines.entries()) {
    if (isCode[at] || isBlank(line)) continue;
    if (separator.test(line) && forwarded.test(line)) return null;
    if (isHeader(lines, at) || isRuledIntroduction(line)) return { from: at, to: lines.length };
    const introduction = introductionAt(lines, at);
    if (!introduction) continue;
    const next = following[at]!;
    if (next < 0) return null;
    const { first, isCertain } = introduction;
    if (!isQuoteLine(lines[next]!)) {
      if (isCertain && (first === 0 || isBlank(lines[first - 1]!))) return { from: first, to: lines.length };
      continue;
    }
    // Between two lines with the sign, one without it is the rest of a long line.
    const isPart = (each: string, place: number) =>
      isBlank(each) ||
      isQuoteLine(each) ||
      (isQuoteLine(lines[place - 1]!) && isQuoteLine(lines[place + 1] ?? ''));
    const end = lines.findIndex((each, place) => place > next && !isPart(each, place));
    // Answers between quotes can be read only with them.
    if (end >= 0 && (!isCertain || lines.slice(end).some(isQuoteLine))) return null;
    return { from: first, to: end < 0 ? lines.length : end };
  }
  return null;
}

/** Splits a text with LF as line break at what a mail program has quoted in it. Null for all other texts. */
export function splitQuoted(text: string): QuotedParts | null {
  if (!/[:：]|-{3}/.test(text)) return null;
  const lines = text.split('\n');
  const quote = findQuote(lines);
  if (!quote) return null;
  const before = lines.slice(0, quote.from).join('\n').trimEnd();
  const after = lines.slice(quote.to).join('\n').replace(/^\n+/, '').trimEnd();
  const quoted = lines.slice(quote.from, quote.to).join('\n').trimEnd();
  return before.trim() || after.trim() ? { before, quoted, after } : null;
}
