import { safeDocument } from './dom.ts';

/** A page may undo our changes every time, at once. After so many changes we pause, so that the page does not freeze. */
const CHANGES = 9;
const REST_MS = 50;

/**
 * Adds the host element to the page once that is parsed, and again whenever the page removes it.
 * First into `body`, where frameworks that hydrate a whole document tolerate foreign elements. A page that has
 * removed it once swaps its body, so after that it is added beside the body, where a swap does not reach it.
 */
export function keepAttached(host: Element, onAttach: () => void, signal: AbortSignal): void {
  let parent: HTMLElement | undefined;
  let changes = 0;
  const attach = () => {
    // Pages with a custom dialog make everything beside it inert.
    for (const name of ['inert', 'aria-hidden']) host.removeAttribute(name);
    if (host.isConnected || signal.aborted) return;
    parent = parent ? safeDocument.documentElement : safeDocument.body;
    parent.append(host);
    for (const watched of [parent, safeDocument.documentElement])
      observer.observe(watched, { childList: true });
    onAttach();
  };
  // Without delay: even one frame drawn inert would lose the focus and the next keystrokes.
  const observer = new MutationObserver(() => {
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
