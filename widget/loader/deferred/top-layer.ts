import { safeDocument } from '../dom.ts';
import { createBudget } from './budget.ts';
import type { Core } from '../guest.ts';

/** A film or a foreign document in fullscreen is watched, and keeps the screen to itself; the root holds us anyway. */
const noPlace = 'video, iframe, :root';

/** SECURITY: of forms and of the document, elements with names take the place of members. */
const matches = (element: Element, selector: string) => Element.prototype.matches.call(element, selector);
const safe = (tree: Document | ShadowRoot) => (tree instanceof ShadowRoot ? tree : safeDocument);

/**
 * Keeps the widget usable above the page's modal dialogs and its fullscreen element, by standing in the topmost of
 * them: all outside it is inert.
 */
export function createTopLayer({ view, settings, signal, frames }: Core): (isOpen: boolean) => void {
  const { host, root, dialog } = view;
  const options = { capture: true, signal };
  /** The document, and the shadow trees in which the page has shown a modal. */
  const trees = new Set<Document | ShadowRoot>();
  /** The page's modal and fullscreen elements, the topmost last. */
  let covers: Element[] = [];
  let home: Element | null = null;
  let isLifted = !!root.popover;
  let isOpen = false;

  function move(to: Element) {
    // Frames live through this kind of move; any other loads them anew.
    if (host.isConnected && 'moveBefore' in to) (to as Element & ParentNodeMove).moveBefore(host, null);
    else {
      to.append(host);
      frames[0]!.reload();
    }
  }

  function settle(closing?: EventTarget | null) {
    for (const tree of trees) if (tree instanceof ShadowRoot && !tree.host.isConnected) trees.delete(tree);
    const shown = [...trees]
      .flatMap((tree) => [...safe(tree).querySelectorAll(':modal')])
      .filter((each) => each !== closing);
    const before = covers.at(-1);
    covers = covers.filter((each) => shown.includes(each));
    covers.push(...shown.filter((each) => !covers.includes(each)));
    const top = covers.at(-1);
    const cover = covers.findLast((each) => !matches(each, noPlace));

    if (cover) home ??= host.parentElement;
    const place = cover ?? (home?.isConnected ? home : home && safeDocument.documentElement);
    const isMoved = place && (host.parentElement !== place || !host.isConnected);
    if (isMoved) move(place);
    if (!cover) home = null;
    // A page that drops what is open tells nobody.
    gone.disconnect();
    if (cover) trees.forEach((tree) => gone.observe(tree, { childList: true, subtree: true }));

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
  const change = () => settle();
  // Out of a dialog before it closes: with it the frame would vanish and lose the focus.
  const beforeChange: EventListener = (event) => {
    const { newState, target } = event as ToggleEvent;
    if (newState === 'closed' && covers.includes(target as Element)) settle(target);
  };
  function watch(tree: Document | ShadowRoot) {
    trees.add(tree);
    for (const sign of ['toggle', 'close', 'fullscreenchange'])
      safe(tree).addEventListener(sign, change, options);
    safe(tree).addEventListener('beforetoggle', beforeChange, options);
  }
  // oxlint-disable-next-line no-restricted-globals -- the node, which an observer needs
  watch(document);
  // What comes to be modal takes the focus, and unlike its other events that is heard from within a shadow tree.
  safeDocument.addEventListener(
    'focusin',
    (event) => {
      const modal = event
        .composedPath()
        .find(
          (each): each is Element => each instanceof Element && each !== dialog && matches(each, ':modal'),
        );
      if (!modal || covers.includes(modal)) return;
      watch(modal.getRootNode() as Document | ShadowRoot);
      settle();
      // Opened by a script while the customer writes.
      if (isOpen && event.relatedTarget === host) frames[0]!.focus();
    },
    options,
  );
  return (isNowOpen) => {
    isOpen = isNowOpen;
    settle();
  };
}

/** Not in the compiler's DOM yet. */
interface ParentNodeMove {
  moveBefore: (node: Node, before: Node | null) => void;
}
