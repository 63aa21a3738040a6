import { createBudget } from './budget.ts';

const barriers = ['inert', 'aria-hidden'];

/**
 * Puts the host element into the page, once that is parsed, and back again whenever the page drops it.
 * First into `body`, where frameworks that hydrate a whole document tolerate strangers; a page that has
 * dropped it once swaps its body, so from then on it stands beside the body, out of reach of the next swap.
 */
export function keepAttached(host: Element, onAttach: () => void, signal: AbortSignal): void {
  let parent: HTMLElement | undefined;
  const mayAct = createBudget();
  const attach = () => {
    const isBarred = barriers.some((name) => host.hasAttribute(name));
    if ((host.isConnected && !isBarred) || !mayAct()) return;
    // Pages with a dialog of their own making switch off everything beside it.
    for (const name of barriers) host.removeAttribute(name);
    if (host.isConnected) return;
    parent = parent ? document.documentElement : document.body;
    parent.append(host);
    for (const watched of [parent, document.documentElement]) observer.observe(watched, { childList: true });
    onAttach();
  };
  const observer = new MutationObserver(attach);
  observer.observe(host, { attributes: true });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    host.remove();
  });
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', attach, { signal });
  else attach();
}
