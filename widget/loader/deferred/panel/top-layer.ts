import { find, openPopover, safeDocument } from '../../dom.ts';
import { createBudget } from '../budget.ts';
import type { Core } from '../../deferred.ts';

/** Elements that the widget is not moved into: a fullscreen video or iframe keeps the screen; the root contains it anyway. */
const noPlace = 'video, iframe, :root';

/** SECURITY: named elements can replace the members of forms and of the document. */
const matches = (element: Element, selector: string) => Element.prototype.matches.call(element, selector);
const safe = (tree: Document | ShadowRoot) => (tree instanceof ShadowRoot ? tree : safeDocument);

/**
 * Keeps the widget usable above the page's modal dialogs, its fullscreen element and its popovers. It is moved into the
 * topmost modal or fullscreen element, because everything outside that is inert.
 */
export function createTopLayer(core: Core): (isOpen: boolean) => void {
  const { view, settings, signal, frames } = core;
  const { host, root, dialog } = view;
  const options = { capture: true, signal };
  /** The document, and the shadow trees in which the page has shown a modal. */
  const trees = new Set<Document | ShadowRoot>();
  /** The page's modal and fullscreen elements, the topmost last. */
  let covers: Element[] = [];
  let home: Element | null = null;
  let isOpen = false;

  function move(to: Element) {
    // `moveBefore` keeps the frame's document; any other move loads it again.
    if (host.isConnected && 'moveBefore' in to) (to as Element & ParentNodeMove).moveBefore(host, null);
    else {
      to.append(host);
      frames[0]!.reload();
    }
  }

  function update(closing?: EventTarget | null) {
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
    // Removing an open dialog from the page fires no event.
    gone.disconnect();
    if (cover) trees.forEach((tree) => gone.observe(tree, { childList: true, subtree: true }));

    // On other pages its order is enough. Before it is in the page it cannot be lifted.
    const lift =
      host.isConnected && (!!top || (settings.zIndex == null && !!(core.isMisplaced || find(openPopover))));
    if (lift === !!root.popover && !isMoved && top === before) return;
    // The popover that is shown last is on top.
    if (root.popover) root.hidePopover?.();
    root.popover = lift ? 'manual' : null;
    if (lift) root.showPopover?.();
  }
  const mayAct = createBudget();
  const gone = new MutationObserver(() => {
    if (!host.isConnected && mayAct()) update();
  });

  signal.addEventListener('abort', () => gone.disconnect());
  const change = () => update();
  // Leave a dialog before it closes: inside a closed one the frame would be hidden and lose the focus.
  const beforeChange: EventListener = (event) => {
    const { newState, target } = event as ToggleEvent;
    if (newState === 'closed' && covers.includes(target as Element)) update(target);
  };
  function watch(tree: Document | ShadowRoot) {
    trees.add(tree);
    for (const type of ['toggle', 'close', 'fullscreenchange'])
      safe(tree).addEventListener(type, change, options);
    safe(tree).addEventListener('beforetoggle', beforeChange, options);
  }
  // oxlint-disable-next-line no-restricted-globals -- the node, which an observer needs
  watch(document);
  // A dialog that becomes modal takes the focus, and of its events only `focusin` leaves a shadow tree.
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
      update();
      // A script has opened it while the customer was writing.
      if (isOpen && event.relatedTarget === host) frames[0]!.focus();
    },
    options,
  );
  return (isNowOpen) => {
    isOpen = isNowOpen;
    update();
  };
}

/** Missing from TypeScript's DOM library. */
interface ParentNodeMove {
  moveBefore: (node: Node, before: Node | null) => void;
}
