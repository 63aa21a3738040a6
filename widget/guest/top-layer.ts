import { createBudget } from './budget.ts';
import type { Core } from '../loader/guest.ts';

/** A film or a foreign document in fullscreen is watched, and keeps the screen to itself; the root holds us anyway. */
const noPlace = 'video, iframe, :root';

/**
 * Keeps the widget usable above the page's modal dialogs and its fullscreen element, by standing in the topmost of
 * them: all outside it is inert.
 */
export function createTopLayer({ view, settings, signal, frames }: Core): () => void {
  const { host, root } = view;
  /** The page's modal and fullscreen elements, the topmost last. */
  let covers: Element[] = [];
  let home: Element | null = null;
  let isLifted = !!root.popover;

  function move(to: Element) {
    // Frames live through this kind of move; any other loads them anew.
    if (host.isConnected && 'moveBefore' in to) (to as Element & ParentNodeMove).moveBefore(host, null);
    else {
      to.append(host);
      frames[0]!.reload();
    }
  }

  function settle(closing?: EventTarget | null) {
    const shown = [...document.querySelectorAll(':modal')].filter((each) => each !== closing);
    const before = covers.at(-1);
    covers = covers.filter((each) => shown.includes(each));
    covers.push(...shown.filter((each) => !covers.includes(each)));
    const top = covers.at(-1);
    const cover = covers.findLast((each) => !each.matches(noPlace));

    if (cover) home ??= host.parentElement;
    const place = cover ?? (home?.isConnected ? home : home && document.documentElement);
    const isMoved = place && (host.parentElement !== place || !host.isConnected);
    if (isMoved) move(place);
    if (!cover) home = null;
    // A page that drops what is open tells nobody.
    gone.disconnect();
    if (cover) gone.observe(document, { childList: true, subtree: true });

    const lift = settings.zIndex == null || !!top;
    if (lift === isLifted && !isMoved && top === before) return;
    isLifted = lift;
    // What is shown last lies on top.
    if (root.popover) root.hidePopover?.();
    root.popover = lift ? 'manual' : null;
    if (lift) root.showPopover?.();
  }
  const mayAct = createBudget();
  const gone = new MutationObserver(() => {
    if (!host.isConnected && mayAct()) settle();
  });

  signal.addEventListener('abort', () => gone.disconnect());
  for (const sign of ['toggle', 'close', 'fullscreenchange'])
    document.addEventListener(sign, () => settle(), { capture: true, signal });
  // Out of a dialog before it closes: with it the frame would vanish and lose the focus.
  document.addEventListener(
    'beforetoggle',
    ({ newState, target }) => {
      if (newState === 'closed' && covers.includes(target as Element)) settle(target);
    },
    { capture: true, signal },
  );
  return () => settle();
}

/** Not in the compiler's DOM yet. */
interface ParentNodeMove {
  moveBefore: (node: Node, before: Node | null) => void;
}
