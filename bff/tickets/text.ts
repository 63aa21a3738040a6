/** One form of a text, for sending and comparing: NFC, LF line ends, no space around it. */
export const canonical = (text: string) => text.replace(/\r\n?/g, '\n').normalize('NFC').trim();

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
