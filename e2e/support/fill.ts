/** Texts by name. */
export type Values = Record<string, string>;

/**
 * Replaces each `@@name@@` of a text by its value, in which names are replaced, too. `lookUp` knows more names.
 * @throws when a name has no value
 */
export function fill(
  text: string,
  values: Values,
  lookUp: (name: string) => string | undefined = () => undefined,
): string {
  const filled = text.replace(/@@(.+?)@@/g, (_, name: string) => {
    const value = values[name] ?? lookUp(name);
    if (value === undefined) throw new Error(`no value “${name}”`);
    return value;
  });
  return filled === text ? text : fill(filled, values, lookUp);
}
