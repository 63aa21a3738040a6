/** Facts by name, told to agents: by the page (`Deskside('context', …)`), or by the site's server in its token. */
export type Attributes = Record<string, string | number | boolean>;

/** How many attributes there may be, and how long name and text are, in UTF-16 units. */
export const maxAttributes = { count: 20, name: 40, text: 200 } as const;

/** A larger number may have been rounded, so it would name another order or customer. */
const isAttribute = (value: unknown): value is string | number | boolean =>
  typeof value === 'string'
    ? value.length <= maxAttributes.text
    : typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) < 2 ** 53);

/** The attributes among the entries of an object. One that is none costs no other. */
export const readAttributes = (value: unknown): Attributes =>
  Object.fromEntries(
    Object.entries(Object(value) as Attributes)
      .filter(([name, each]) => name.length <= maxAttributes.name && isAttribute(each))
      .slice(0, maxAttributes.count),
  );
