/**
 * The document, with the browser's own members. SECURITY: in the page an image, form, frame or object with the `name` of
 * a member (`body`, `currentScript`) takes its place on `document`. Visitors' posts may hold such elements.
 */
// oxlint-disable-next-line no-restricted-globals -- the one place that may
export const safeDocument = new Proxy(document, {
  get(target, name) {
    const member: unknown = Reflect.get(Document.prototype, name, target);
    // oxlint-disable-next-line unicorn/no-instanceof-builtins -- to `typeof` some browsers' `<object>` is a function too
    return member instanceof Function ? member.bind(target) : member;
  },
});

/**
 * A global that a script or the browser has set. SECURITY: elements are globals by their `id` or `name` too, where there is
 * no other, but never as an own property.
 */
export const ownGlobal = <Name extends keyof Window>(name: Name): Window[Name] | undefined =>
  Object.hasOwn(window, name) ? window[name] : undefined;

/** SECURITY: built node by node, never from markup, so host pages may forbid HTML sinks and inline styles. */
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
