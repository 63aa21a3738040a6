/*
 * The headers of a mail by their names. It knows no meaning of any.
 */

export interface Headers {
  /** The value of the topmost header of this name. */
  first(name: string): string | null;
  /** All values of this name, the topmost first. */
  all(name: string): string[];
  has(name: string): boolean;
}

export function headersOf(list: readonly { key: string; value: string }[]): Headers {
  const values = new Map<string, string[]>();
  for (const { key, value } of list) {
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  const all = (name: string) => values.get(name.toLowerCase()) ?? [];
  return { all, first: (name) => all(name)[0] ?? null, has: (name) => values.has(name.toLowerCase()) };
}

/** The value of a header before its parameters, in lower case. */
export const valueOf = (header: string | null): string =>
  (header ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
