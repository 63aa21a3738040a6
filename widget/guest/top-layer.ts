import type { Core } from '../loader/guest.ts';

/** Films and foreign documents in fullscreen are watched, and keep the screen to themselves. */
const watched = 'video, iframe';

/**
 * Keeps the widget usable above the page's modal dialogs, by standing in the topmost one (all outside it is inert),
 * and above its fullscreen element.
 */
export function createTopLayer({ view, settings, signal, reload }: Core): () => void {
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
      reload();
    }
  }

  function settle(closing?: EventTarget | null) {
    const shown = [...document.querySelectorAll(':modal')].filter((each) => each !== closing);
    const before = covers.at(-1);
    covers = covers.filter((each) => shown.includes(each));
    covers.push(...shown.filter((each) => !covers.includes(each)));
    const top = covers.at(-1);
    const dialog = covers.findLast((each) => each instanceof HTMLDialogElement);

    if (dialog) home ??= host.parentElement;
    const place = dialog ?? (home?.isConnected ? home : home && document.documentElement);
    const isMoved = place && (host.parentElement !== place || !host.isConnected);
    if (isMoved) move(place);
    if (!dialog) home = null;
    // A page that drops its open dialog tells nobody.
    gone.disconnect();
    if (dialog) gone.observe(document, { childList: true, subtree: true });

    const lift = settings.zIndex == null || !!top;
    if (lift === isLifted && !isMoved && (top === before || top?.matches(watched))) return;
    isLifted = lift;
    // What is shown last lies on top.
    if (root.popover) root.hidePopover?.();
    root.popover = lift ? 'manual' : null;
    if (lift) root.showPopover?.();
  }
  const gone = new MutationObserver(() => {
    if (!host.isConnected) settle();
  });

  signal.addEventListener('abort', () => gone.disconnect());
  for (const sign of ['toggle', 'close', 'fullscreenchange'])
    document.addEventListener(sign, () => settle(), { capture: true, signal });
  // Out of a dialog before it closes: with it the frame would vanish and lose the focus.
  document.addEventListener(
    'beforetoggle',
    (event) => {
      if ((event as ToggleEvent).newState === 'closed' && covers.includes(event.target as Element)) settle(event.target);
    },
    { capture: true, signal },
  );
  return () => settle();
}

/** Not in the compiler's DOM yet. */
interface ParentNodeMove {
  moveBefore: (node: Node, before: Node | null) => void;
}
