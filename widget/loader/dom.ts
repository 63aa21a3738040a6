import { attempt } from '../bridge/fields.ts';

/** The browser's own. Old libraries, such as MooTools, put something else in the place of `Document`. */
// oxlint-disable-next-line no-restricted-globals -- its prototype cannot be clobbered
export const documentPrototype = (): Document => Object.getPrototypeOf(document);

/**
 * The document with the browser's own members. SECURITY: an image, form, frame or object whose `name` is that of a member
 * (`body`, `currentScript`) replaces it on `document`, and visitors' posts may contain such elements.
 */
// oxlint-disable-next-line no-restricted-globals -- the wrapper itself
export const safeDocument = new Proxy(document, {
  get(target, name) {
    const member: unknown = Reflect.get(documentPrototype(), name, target);
    // oxlint-disable-next-line unicorn/no-instanceof-builtins -- in some browsers `typeof` of an `<object>` is 'function'
    return member instanceof Function ? member.bind(target) : member;
  },
});

/** The first such element of the page. None if the browser does not know the selector. */
export const find = (selector: string) => attempt(() => safeDocument.querySelector(selector));
export const openPopover = ':popover-open';

/**
 * A global that a script or the browser has set. SECURITY: an element's `id` or `name` also makes it a global where there
 * is no other of that name, but never an own property of `window`.
 */
export const ownGlobal = <Name extends keyof Window>(name: Name): Window[Name] | undefined =>
  Object.hasOwn(window, name) ? window[name] : undefined;

/** SECURITY: built without markup, so that it works where the page forbids HTML sinks and inline styles. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = safeDocument.createElement(tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]!);
  node.append(...children);
  return node;
}
