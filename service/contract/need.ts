/** What the service did instead of what is documented. */
export class Broken extends Error {
  override name = 'Broken' as const;
}

/** Throws `Broken` with what was `seen` unless the condition is met. */
export function need(isMet: boolean, seen: string): asserts isMet {
  if (!isMet) throw new Broken(seen);
}
