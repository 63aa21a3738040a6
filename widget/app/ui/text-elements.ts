import { options, type VNode } from 'preact';

const isText = (child: unknown) => typeof child === 'string' || typeof child === 'number';

/**
 * Makes Preact write texts by the element that they are in, never by their text nodes. Browsers' translation replaces
 * text nodes by `<font>` elements, and extensions split and wrap them; Preact would go on writing into the lost node, and
 * put another one beside the translation. A text beside elements gets an element of its own. To be called before the first
 * render.
 */
export function renderTextsByElements(): void {
  const next = options.vnode;
  options.vnode = (vnode: VNode) => {
    const node = vnode as { type: VNode['type'] | null; props: unknown };
    if (node.type === null) {
      const text = String(node.props);
      if (text.trim()) Object.assign(node, { type: 'deskside-text', props: { textContent: text } });
    } else if (typeof node.type === 'string') {
      const { children, ...props } = node.props as { children?: unknown };
      const parts = [children].flat();
      if (parts.length > 0 && parts.every(isText)) node.props = { ...props, textContent: parts.join('') };
    }
    next?.(vnode);
  };
}
