import {
  attempt,
  isToken,
  plain,
  prefillKinds,
  readFields,
  readValue,
  settingKinds,
  targetKinds,
  type Kind,
} from '../../../bridge/fields.ts';
import { maxAttributes, readAttributes, type Attributes } from '../../../../shared/contract/attributes.ts';
import type { Prefill } from '../../../bridge/messages.ts';
import type { Call, EventName } from '../../api.ts';
import type { Core } from '../../deferred.ts';
import { safeDocument } from '../../dom.ts';
import { nearest } from '../../../../shared/text/nearest.ts';

type Kinds = Record<string, Kind>;

const events = Object.keys({
  ready: true,
  open: true,
  close: true,
  'ticket-created': true,
  'message-sent': true,
  'message-received': true,
  unread: true,
  error: true,
} satisfies Record<EventName, true>);

const expected: Record<Extract<Kind, string>, string> = {
  text: 'a text',
  color: 'a fixed CSS colour, such as #0b6b5d',
  number: 'a number without a unit',
  offset: 'one number or two',
  flag: 'true or false',
  selector: 'a CSS selector',
  token: 'a token, or an async function that gets one',
  texts: 'an object of texts by name',
  answers: 'an object of texts and flags by name',
  attributes: 'a short text with a short name, a number or a flag',
};

const quote = (text: string) => `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
const list = (names: readonly string[]) => names.map(quote).join(', ');
const hint = (name: unknown, names: readonly string[]) => {
  const meant = typeof name === 'string' && nearest(name, names);
  return meant ? ` Did you mean ${quote(meant)}?` : ` Known: ${list(names)}.`;
};

/** An array, a `Map`, a `FormData` and their like. */
const isList = (value: unknown) => !!attempt(() => (value as Partial<unknown[]>)[Symbol.iterator]);

function describe(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'object' && value) {
    if (attempt(() => value instanceof Node)) return 'a node of the page';
    if (isList(value)) return 'a list';
    if (attempt(() => 'then' in value)) return 'a promise';
    return (
      attempt(() =>
        value instanceof Error ? String(value) : `an ${Object.keys(value).length ? '' : 'empty '}object`,
      ) ?? 'an unreadable object'
    );
  }
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : String(value);
}

/** A hexadecimal colour without its `#`. */
const bareHex = /^([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

const isSelector = (text: string) => attempt(() => safeDocument.querySelector(text)) !== undefined;

/** What is wrong with a value, or nothing; for `attributes`, with one of them. `copy`: its plain data. */
function findFault(name: string, kind: Kind, value: unknown, copy: unknown): string[] {
  const read = kind === 'attributes' ? readAttributes({ [name]: copy })[name] : readValue(kind, copy);
  const wants = (what: string, more = '') => [
    `“${name}” is ${describe(value)}, but must be ${what}.${more} It is ignored.`,
  ];
  if (typeof kind === 'object') {
    if (read !== undefined) return [];
    const meant = typeof value === 'string' && nearest(value, kind);
    return wants(kind.map(quote).join(' or '), meant ? ` Did you mean ${quote(meant)}?` : '');
  }
  if (read === undefined)
    return wants(
      expected[kind],
      kind === 'color' && bareHex.test(String(copy)) ? ` Did you mean ${quote(`#${String(copy)}`)}?` : '',
    );
  if (kind === 'selector') return isSelector(read as string) ? [] : wants(expected.selector);
  if (kind !== 'texts' && kind !== 'answers') return [];
  if (isList(value)) return wants(expected[kind]);
  const wrong = Object.keys(copy as object).filter((each) => !Object.hasOwn(read as object, each));
  const type = kind === 'texts' ? 'a text' : 'a text or a flag';
  return wrong.map((each) => `“${name}.${each}” must be ${type}. It is ignored.`);
}

/**
 * `kinds`: null for attributes, which may have any short name. `isShared`: others put attributes on the script tag too, so only
 * a likely slip counts as unknown.
 */
function findFaults(kinds: Kinds | null, what: string, value: unknown, isShared = false): string[] {
  const names =
    typeof value === 'object' && value && !isList(value) && attempt(() => !(value instanceof Node))
      ? attempt(() => Object.keys(value))
      : undefined;
  // A promise, or an object whose fields belong to its class, has none that could be copied.
  if (!names?.length && attempt(() => (value as object).constructor) !== Object)
    return [`expects an object of ${what}s, but got ${describe(value)}.`];
  const copies = plain(value);
  return names!.flatMap((name, nth) => {
    if (kinds && !Object.hasOwn(kinds, name)) {
      const isOther = isShared && !nearest(name, Object.keys(kinds));
      return isOther ? [] : [`there is no ${what} ${quote(name)}.${hint(name, Object.keys(kinds))}`];
    }
    let given: unknown;
    try {
      given = (value as Record<string, unknown>)[name];
    } catch {
      return [`“${name}” cannot be read. It is ignored.`];
    }
    // Null and undefined mean that there is no value.
    if (given === null || given === undefined) return [];
    if (kinds) return findFault(name, kinds[name]!, given, copies[name]);
    return nth < maxAttributes.count
      ? findFault(name, 'attributes', given, copies[name])
      : [`“${name}” is one too many.`];
  });
}

/** The page's changes of settings as plain data. A wrong value becomes undefined, which unsets it. */
export const readChanges = (value: unknown): object =>
  Object.fromEntries(
    Object.entries(plain(value))
      .filter(([name]) => Object.hasOwn(settingKinds, name))
      .map(([name, copy]) => [name, readValue(settingKinds[name as keyof typeof settingKinds], copy)]),
  );

/** The page's values for the form as plain data. */
export const readPrefill = (value: unknown): Prefill => readFields(prefillKinds, plain(value));

/** The page's attributes as plain data. Characters of a text and elements of a list are none. */
export const readContext = (value: unknown): Attributes => readAttributes(isList(value) ? {} : plain(value));

/** Says in the console what is wrong with the page's calls and settings, each of it once. */
export function createMistakes({ commands }: Core) {
  const commandNames = [...Object.keys(commands), 'invite', 'destroy'];
  const said = new Set<string>();

  function findInCall(name: unknown, first: unknown, second: unknown): string[] {
    switch (name) {
      case 'update':
        return findFaults(settingKinds, 'setting', first);
      case 'invite':
        return findFaults(settingKinds, 'setting', { invite: first });
      case 'prefill':
        return findFaults(prefillKinds, 'field', first);
      case 'context':
        return first === null ? [] : findFaults(null, 'attribute', first);
      case 'open':
        // As the handler of a press it gets the event of the browser or of a library.
        return first === undefined || attempt(() => 'preventDefault' in (first as Event))
          ? []
          : findFaults(targetKinds, 'field', first);
      case 'identify':
        if (typeof first === 'function' || (isToken(first) && /^[\w-]+\.[\w-]+\./.test(first))) return [];
        // SECURITY: the text itself is not shown.
        return [
          typeof first === 'string' && first
            ? 'the text is no signed token.'
            : `expects ${expected.token}, but got ${describe(first)}. To sign out, call “logout”.`,
        ];
      case 'on': {
        const isKnown = events.includes(first as string);
        return [
          ...(isKnown ? [] : [`there is no event ${describe(first)}.${hint(first, events)}`]),
          ...(typeof second === 'function' ? [] : [`the handler is ${describe(second)}, not a function.`]),
        ];
      }
      default:
        return commandNames.includes(name as string)
          ? []
          : [`there is no such command.${hint(name, commandNames)}`];
    }
  }
  function report(where: string, faults: string[]): void {
    const text = faults.map((fault) => `${where}: ${fault}`).join('\n');
    if (!text || said.has(text)) return;
    said.add(text);
    // oxlint-disable-next-line no-console -- for the page's developer
    console.warn(text);
  }
  const checkTag = (where: string, dataset: object) =>
    report(where, findFaults(settingKinds, 'setting', { ...dataset }, true));

  function check(call: Call): void {
    const [name, first, second] = call;
    if (name !== 'start') {
      const where =
        typeof name === 'string' ? `Deskside('${name.slice(0, 40)}')` : `Deskside(${describe(name)})`;
      report(where, findInCall(name, first, second));
      return;
    }
    if (second !== undefined) report('DesksideSettings', findFaults(settingKinds, 'setting', second));
    checkTag('Script tag of Deskside', first as object);
  }
  // A check must not stop the widget: values of the page may throw at anything.
  return { check: (call: Call) => attempt(() => check(call)), checkTag };
}
