import { readAttributes } from '../../shared/contract/attributes.ts';

/** The kind of a value. A list has the allowed texts. */
export type Kind =
  | 'text'
  | 'color'
  | 'number'
  /** One number for both sides, or two. */
  | 'offset'
  | 'flag'
  | 'selector'
  | 'token'
  /** Texts by name. */
  | 'texts'
  /** Texts and flags by name. */
  | 'answers'
  /** Short texts, numbers and flags by name. */
  | 'attributes'
  | readonly string[];
type Kinds = Record<string, Kind>;
type Shape = Record<string, unknown>;

/*
 * What a page may hand over. These tables decide what is sent to the frame, what the frame accepts, and what the console
 * says about the rest.
 */

export const settingKinds = {
  brand: 'text',
  logo: 'text',
  color: 'color',
  position: ['left', 'right'],
  theme: ['auto', 'light', 'dark'],
  locale: 'text',
  label: 'text',
  zIndex: 'number',
  offset: 'offset',
  offsetPhone: 'offset',
  greeting: 'text',
  texts: 'texts',
  priority: 'flag',
  subject: ['ask'],
  enter: ['send', 'newline'],
  files: ['on', 'off'],
  sound: 'flag',
  preview: 'flag',
  titleBadge: 'flag',
  dataLayer: 'flag',
  stayOpen: 'flag',
  pageTitle: 'flag',
  launcher: 'selector',
  launcherText: 'text',
  launcherIcon: 'text',
  whenClosed: ['show', 'hide', 'articles'],
  invite: 'text',
  inviteAfter: 'number',
  invitePage: 'text',
} as const satisfies Kinds;

export const targetKinds = { view: ['new'], ticket: 'text', article: 'text' } as const satisfies Kinds;

export const contextKinds = { page_title: 'text', attributes: 'attributes' } as const satisfies Kinds;

export const prefillKinds = {
  name: 'text',
  email: 'text',
  subject: 'text',
  description: 'text',
  topic: 'text',
  fields: 'answers',
} as const satisfies Kinds;

/** Runs what may throw: a page’s getter or proxy, or denied storage. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {}
}

/** The fields of a page's object as plain data. What cannot be copied is undefined. */
export function plain(value: unknown): Shape {
  const copy: Shape = {};
  attempt(() => Object.keys(Object(value) as Shape))?.forEach((name) => {
    copy[name] = attempt(() => JSON.parse(JSON.stringify((value as Shape)[name])));
  });
  return copy;
}

/** A colour that is the same everywhere: `var(--x)`, `currentColor` and `inherit` are nothing, or another one, in the frame. */
export const isColor = (value: unknown): value is string =>
  CSS.supports('color', value as string) && !/--|cur|in[hi]|rev|uns/i.test(value as string);

/** Whether a value can be an identity token; the BFF reads up to 4,096 characters. */
export const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 4096;

/** The value of a flag, as a page or an attribute has it: `data-priority`, `data-priority="false"`. */
const flags = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['', true],
  ['true', true],
  ['false', false],
]);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Plain data as a value of the kind; undefined if it is none. */
export function readValue(kind: Kind, value: unknown): unknown {
  if (kind === 'flag') return flags.get(value);
  if (kind === 'attributes') return readAttributes(value);
  if (kind === 'texts' || kind === 'answers') {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const isKept = (each: unknown) => isText(each) || (kind === 'answers' && typeof each === 'boolean');
    return Object.fromEntries(Object.entries(value).filter(([, each]) => isKept(each)));
  }
  if (kind === 'offset') return /^-?[\d.]+(px)?( -?[\d.]+(px)?)?$/.test(String(value)) ? value : undefined;
  // An attribute of the script tag is always a text.
  if (kind === 'number') return /^-?[\d.]+(px)?$/.test(String(value)) ? parseFloat(String(value)) : undefined;
  const isValid =
    isText(value) &&
    (typeof kind === 'object' ? kind.includes(value) : kind === 'color' ? isColor(value) : true);
  return isValid ? value : undefined;
}

/** The fields of plain data that have a valid value. */
export function readFields(kinds: Kinds, value: unknown): Shape {
  const values = Object(value) as Shape;
  return Object.fromEntries(
    Object.entries(kinds)
      .map(([name, kind]) => [name, readValue(kind, values[name])] as const)
      .filter(([, read]) => read !== undefined),
  );
}
