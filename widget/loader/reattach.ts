/**
 * Puts the host element into the page, once that is parsed, and back again whenever the page drops it.
 * First into `body`, where frameworks that hydrate a whole document tolerate strangers; a page that has
 * dropped it once swaps its body, so from then on it stands beside the body, out of reach of the next swap.
 */
export function keepAttached(host: Element, onAttach: () => void, signal: AbortSignal): void {
  let parent: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attach = () => {
    timer = undefined;
    // Pages with a dialog of their own making switch off everything beside it.
    for (const name of ['inert', 'aria-hidden']) host.removeAttribute(name);
    if (host.isConnected || signal.aborted) return;
    parent = parent ? document.documentElement : document.body;
    parent.append(host);
    for (const watched of [parent, document.documentElement]) observer.observe(watched, { childList: true });
    onAttach();
  };
  // Not at once: with a script that undoes it as soon as it is told, the page would freeze.
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(attach, 50);
  });
  observer.observe(host, { attributes: true });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    host.remove();
  });
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', attach, { signal });
  else attach();
}
