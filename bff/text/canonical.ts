const longestRun = 30;

/** Puts U+034F, a mark that nothing is sorted past, after every 30 marks of a run. */
const endRuns = (text: string) =>
  text.replace(/[^\P{M}\u034F]+/gu, (run) => {
    if (run.length <= longestRun) return run;
    const marks = Array.from(run);
    const runs = Array.from({ length: Math.ceil(marks.length / longestRun) }, (_, nth) =>
      marks.slice(nth * longestRun, (nth + 1) * longestRun).join(''),
    );
    return runs.join('\u034F');
  });

/**
 * NFC in linear time, whatever the text. Normalizing sorts each run of combining marks, which takes the square of its
 * length, so runs are ended after 30 marks as UAX #15 says (stream-safe text). No language has as many, and nothing of
 * a text is lost.
 */
export const composed = (text: string) => endRuns(endRuns(text).normalize('NFD')).normalize('NFC');

/**
 * One form of a text, for sending and comparing: NFC, LF for each line break, no control characters but LF and tab, no
 * space around it. Applied to its own result it changes nothing.
 */
export const canonical = (text: string) =>
  composed(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\t\n]/gu, '')).trim();

/** The first `max` UTF-16 units; half a surrogate pair at the end is left out. */
export const cut = (text: string, max: number) => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');

/** The first `max` code points, with an ellipsis where something was cut. */
export function shorten(text: string, max: number): string {
  const points = Array.from(
    text
      .slice(0, max * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : points.join('');
}
