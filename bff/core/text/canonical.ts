/** Puts U+034F after every 30 combining marks of a run. Normalization never moves marks past it. */
const endRuns = (text: string) => text.replace(/[^\P{M}\u034F]{30}(?=[^\P{M}\u034F])/gu, '$&\u034F');

/**
 * NFC in linear time, for any text. Normalization sorts each run of combining marks in time that grows with the
 * square of its length. So runs are split after 30 marks, as UAX #15 says (stream-safe text). No language has as
 * many, and no character of a text is lost.
 */
export const composed = (text: string) => endRuns(endRuns(text).normalize('NFD')).normalize('NFC');

/**
 * The canonical form of a text, for sending and comparing: NFC, LF as line break, no control characters but LF and
 * tab, no surrounding space. Applying it twice changes nothing.
 */
export const canonical = (text: string) =>
  composed(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '')).trim();

/** A text as one line, without control characters that change the direction of text. */
export const oneLine = (text: string) =>
  canonical(text.toWellFormed().replace(/\p{Bidi_Control}/gu, '')).replace(/\s/gu, ' ');

/** The first `max` UTF-16 units, without half a surrogate pair at the end. */
export const cut = (text: string, max: number) => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

/** The first `max` code points, with an ellipsis when the text is longer. */
export function shorten(text: string, max: number): string {
  const points = Array.from(
    text
      .slice(0, max * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : points.join('');
}
