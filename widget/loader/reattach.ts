import { safeDocument } from './dom.ts';

/** A page may undo at once what is done here, every time: after so many changes it keeps its turn for a while. */
const CHANGES = 9;
const REST_MS = 50;

/**
 * Puts the host element into the page, once that is parsed, and back again whenever the page drops it.
 * First into `body`, where frameworks that hydrate a whole document tolerate strangers; a page that has
 * dropped it once swaps its body, so from then on it stands beside the body, out of reach of the next swap.
 */
export function keepAttached(host: Element, onAttach: () => void, signal: AbortSignal): void {
  let parent: HTMLElement | undefined;
  let changes = 0;
  const attach = () => {
    // Pages with a dialog of their own making switch off everything beside it.
    for (const name of ['inert', 'aria-hidden']) host.removeAttribute(name);
    if (host.isConnected || signal.aborted) return;
    parent = parent ? safeDocument.documentElement : safeDocument.body;
    parent.append(host);
    for (const watched of [parent, safeDocument.documentElement])
      observer.observe(watched, { childList: true });
    onAttach();
  };
  // At once: drawn switched off even for a moment, the panel would lose the focus and what is typed next.
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
