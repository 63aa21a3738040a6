import { safeDocument } from './dom.ts';

declare global {
  interface Window {
    __remixContext?: object;
    __reactRouterContext?: object;
  }
}

/** A page may undo our changes every time, at once. After so many changes we pause, so that the page does not freeze. */
const CHANGES = 9;
const REST_MS = 50;

/**
 * Adds the host element to the page once that is parsed, and again whenever the page removes it.
 * Beside the body: a swap, a `zoom` or a filter of the body does not reach it there, and `body > :last-child` stays the
 * page's own. Into the body on pages of Remix and React Router: React 18 throws away a document that it hydrates with an
 * unknown child of `html`.
 * @param onChange called when the page's language may have changed
 */
export function keepAttached(
  host: Element,
  onAttach: () => void,
  onChange: () => void,
  signal: AbortSignal,
): void {
  let changes = 0;
  const attach = () => {
    // Pages with a custom dialog make everything beside it inert.
    host.removeAttribute('inert');
    host.removeAttribute('aria-hidden');
    if (host.isConnected || signal.aborted) return;
    const { documentElement } = safeDocument;
    const parent = window.__remixContext || window.__reactRouterContext ? safeDocument.body : documentElement;
    parent.append(host);
    // React throws the whole document away where its HTML is not what it expected.
    // oxlint-disable-next-line no-restricted-globals -- the node, which an observer needs
    for (const watched of [document, documentElement, parent])
      observer.observe(watched, { childList: true, attributeFilter: ['lang'] });
    onAttach();
  };
  // Without delay: even one frame drawn inert would lose the focus and the next keystrokes.
  const observer = new MutationObserver(() => {
    onChange();
    if (!changes++)
      setTimeout(() => {
        changes = 0;
        attach();
      }, REST_MS);
    if (changes < CHANGES) attach();
  });
  observer.observe(host, { attributes: true });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    host.remove();
  });
  if (safeDocument.readyState === 'loading')
    safeDocument.addEventListener('DOMContentLoaded', attach, { signal });
  else attach();
}
