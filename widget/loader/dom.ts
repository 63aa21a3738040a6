interface Elements extends HTMLElementTagNameMap, Pick<SVGElementTagNameMap, 'svg' | 'path'> {}

/** SECURITY: built node by node, never from markup, so host pages may forbid HTML sinks and inline styles. */
export function element<Tag extends keyof Elements>(
  tag: Tag,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): Elements[Tag] {
  const isDrawing = tag === 'svg' || tag === 'path';
  const node = document.createElementNS(`http://www.w3.org/${isDrawing ? '2000/svg' : '1999/xhtml'}`, tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]!);
  node.append(...children);
  return node as Elements[Tag];
}
