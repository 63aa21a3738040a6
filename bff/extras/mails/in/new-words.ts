import {
  bare,
  headerBlockAt,
  introductionAt,
  isBlank,
  isDeviceLine,
  isForward,
  isOriginalSeparator,
  isQuoted,
  isSeparator,
  isSignatureStart,
  unquoted,
} from './history.ts';
import { marks } from './html-text.ts';

/*
 * The new words of an answer: its text without the mail that it answers and without what a program adds. It works on plain text, in
 * which the quotes of HTML are `>` and their places are marked. Where nothing certain tells history from words, it keeps both. A phrase
 * such as "Best regards" is the customer's own and stays.
 *
 * It does not use `email-reply-parser`: that knows ten languages, cuts a text at "Regards" and at any `---`, and some of its patterns
 * take time that grows with the third power of the text.
 */

/** Lines in a row that are all quoted or all not. */
interface Run {
  isQuote: boolean;
  /** Whether a line above says whose words these are, so that it is certainly history. */
  isAttributed: boolean;
  lines: string[];
}

const marksOfPlaces = /[\uFDD0-\uFDD3\uFDD5]/g;
const isMark = (line: string, mark: string) => line.includes(mark);

/** Lines without those of signatures that the HTML marks. */
function withoutSignatures(lines: readonly string[]): string[] {
  let isInside = false;
  return lines.filter((line) => {
    if (isMark(line, marks.signatureStarts)) isInside = true;
    const isKept = !isInside;
    if (isMark(line, marks.signatureEnds)) isInside = false;
    return isKept;
  });
}

/** Whether a quote says itself in its first lines whose words these are, as Apple Mail and Hotmail write it. */
function tellsItsAuthor(quote: readonly string[]): boolean {
  const inside = quote.slice(0, 8).map((line) => unquoted(line).replaceAll(marksOfPlaces, ''));
  const first = inside.findIndex((line) => !isBlank(line));
  return (
    first >= 0 &&
    (isOriginalSeparator(inside[first]!) || introductionAt(inside, first) > 0 || headerBlockAt(inside, first))
  );
}

/**
 * Runs of words and quotes, up to where an earlier mail begins that is not quoted line by line. Such a mail is an empty quote at the end.
 */
function runsOf(lines: readonly string[], keepsForwarded: boolean): Run[] {
  const runs: Run[] = [];
  let isAttributed = false;
  const add = (line: string, isQuote: boolean) => {
    const last = runs.at(-1);
    if (last?.isQuote === isQuote && !(isQuote && isAttributed)) last.lines.push(line);
    else runs.push({ isQuote, isAttributed: isQuote && isAttributed, lines: [line] });
    isAttributed = false;
  };
  const history: Run = { isQuote: true, isAttributed: true, lines: [] };
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (isMark(line, marks.history)) {
      if (keepsForwarded) continue;
      return [...runs, history];
    }
    if (isMark(line, marks.quoteFollows)) {
      const quote = quoteWithin(lines, index + 1);
      if (quote < 0) continue;
      isAttributed = true;
      index = quote - 1;
      continue;
    }
    if (isQuoted(line)) {
      add(line, true);
      continue;
    }
    if (isForward(line)) {
      for (const rest of lines.slice(index)) add(rest, false);
      break;
    }
    if (!keepsForwarded && (isOriginalSeparator(line) || headerBlockAt(lines, index)))
      return [...runs, history];
    const introduction = introductionAt(lines, index);
    if (introduction > 0 && !keepsForwarded) {
      let next = index + introduction;
      while (next < lines.length && isBlank(lines[next])) next += 1;
      if (!isQuoted(lines[next])) return [...runs, history];
      isAttributed = true;
      index = next - 1;
      continue;
    }
    // A blank line after a quote belongs to both.
    if (isBlank(line) && runs.at(-1)?.isQuote !== false && (runs.length === 0 || isQuoted(lines[index + 1])))
      continue;
    add(line, false);
  }
  return runs;
}

/** The place of the quote that a few lines introduce: -1 if none follows. */
function quoteWithin(lines: readonly string[], start: number): number {
  let between = 0;
  for (let index = start; index < lines.length && between <= 4; index += 1) {
    const line = lines[index] ?? '';
    if (isQuoted(line)) return index;
    if (isForward(line)) return -1;
    if (bare(line.replaceAll(marksOfPlaces, '')) !== '') between += 1;
  }
  return -1;
}

/** Where programs break lines that are longer. */
const wrapWidth = 71;

/** Whether the words between two quotes are the end of a quoted line that a program has wrapped without a mark. */
function isWrapped(before: Run | undefined, run: Run, after: Run | undefined): boolean {
  if (!before?.isQuote || run.isQuote || (after && !after.isQuote)) return false;
  const [words = '', ...more] = run.lines.filter((line) => !isBlank(line));
  if (more.length > 0 || isBlank(run.lines[0])) return false;
  const [first = ''] = words.split(' ');
  const above = before.lines.at(-1) ?? '';
  return /^\p{Ll}/u.test(words) && above.length + 1 + first.length > wrapWidth;
}

/** Words without a signature below a line of dashes, and without the lines of phones. Code may have such lines. */
function withoutSignature(words: readonly string[]): string[] {
  const cut = words.findIndex((_, index) => isSignatureStart(words, index));
  let isCode = false;
  return words.slice(0, cut < 0 ? words.length : cut).filter((line) => {
    if (line.trim().startsWith('```')) isCode = !isCode;
    return isCode || !isDeviceLine(line);
  });
}

const trimmed = (lines: readonly string[]): string[] => {
  let start = 0;
  let end = lines.length;
  while (start < end && isBlank(lines[start])) start += 1;
  while (end > start && isBlank(lines[end - 1])) end -= 1;
  return lines.slice(start, end);
};

/** Lines without separators at their end, which stood above the history. */
function withoutLastSeparator(lines: readonly string[]): string[] {
  let end = lines.length;
  while (end > 0 && (isBlank(lines[end - 1]) || isSeparator(lines[end - 1] ?? ''))) end -= 1;
  return trimmed(lines.slice(0, end));
}

function wordsOf(lines: readonly string[], keepsForwarded: boolean): string {
  const found = runsOf(lines, keepsForwarded);
  const joined = found.filter((run, index) => !isWrapped(found[index - 1], run, found[index + 1]));
  const runs = (joined.some((run) => !run.isQuote) ? joined : found)
    .map((run) => ({
      ...run,
      lines: run.isQuote ? run.lines : withoutLastSeparator(withoutSignature(run.lines)),
    }))
    .filter((run) => run.isQuote || run.lines.length > 0);
  const firstWords = runs.findIndex((run) => !run.isQuote);
  if (firstWords < 0) return '';
  // What the sender quotes from elsewhere stands below words and above the history, and says no author.
  const firstHistory = runs.findIndex((run) => run.isAttributed || tellsItsAuthor(run.lines));
  const isOwn = ({ isQuote }: Run, index: number) =>
    isQuote && index > firstWords && (firstHistory < 0 || index < firstHistory);
  const last = runs.findLastIndex(
    (run, index) => !run.isQuote || (isOwn(run, index) && (index < runs.length - 1 || isShort(run))),
  );
  const shown = runs.slice(0, last + 1);
  const isInterleaved = shown.filter((run) => run.isQuote && run.lines.length > 0).length > 1;
  return shown
    .filter((run, index) => !run.isQuote || isInterleaved || isOwn(run, index))
    .map((run) => trimmed(run.lines.map((line) => line.trimEnd())).join('\n'))
    .join('\n\n');
}

/** Whether a quote at the end of a mail may be the sender's own. History is longer, or a mail program has marked it. */
const isShort = ({ lines }: Run) => lines.length <= 10 && !isMark(lines[0] ?? '', marks.madeByProgram);

/**
 * The new words of a mail, without what it quotes. Empty if it has none. Marks of pictures stay.
 * @param text with the marks of `htmlToMarkedText`, if it was HTML
 * @param options.isForward the sender forwards a mail, which is then new
 */
export function newWords(text: string, { isForward: keepsForwarded = false } = {}): string {
  const lines = text.split('\n');
  const words =
    wordsOf(withoutSignatures(lines), keepsForwarded) ||
    // Some people write inside their signature.
    wordsOf(lines, keepsForwarded);
  return words
    .replaceAll(marksOfPlaces, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
