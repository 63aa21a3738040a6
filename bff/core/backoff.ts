/** The pause after this many failed attempts: it doubles from `firstMs` up to `longestMs`, and ten times at most. */
export const backoffMs = (attempts: number, firstMs: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** Math.min(attempts, 10));
