import { safeDocument } from '../../dom.ts';
import type { Core } from '../../deferred.ts';

const trap = 'dialog,[role$=dialog],[aria-modal=true]';

/**
 * By these events pages notice a press or the focus outside of their dialog. `keypress`: what is typed while the frame loads
 * is no shortcut of theirs.
 */
const told = ['pointerdown', 'mousedown', 'touchstart', 'touchend', 'click', 'focusin', 'keypress'] as const;

/**
 * Lets customers use the widget while the page has a custom dialog open, which would close at a press in the widget, or pull
 * the focus back. So the page hears nothing of presses, focus and keys in the widget.
 */
export function createFocusPass({ view, frames, commands, signal }: Core): (isOpen: boolean) => void {
  const { host } = view;
  // SECURITY: a form's fields can replace its members, such as `closest`.
  const isTrap = (each: unknown) => each instanceof Element && Element.prototype.matches.call(each, trap);
  /** The dialog of the page that the event is in, also where its fields are in slots of it. */
  const trapOf = (event: Event) => event.composedPath().find(isTrap);
  // On the window in the capture phase: before the page's own listeners, which are usually on the document.
  const on = <Type extends (typeof told)[number] | 'focusout' | 'keydown' | 'keyup'>(
    type: Type,
    handle: (event: WindowEventMap[Type]) => void,
  ) => addEventListener(type, handle, { capture: true, signal });
  // React Aria leaves the focus to what has this attribute.
  host.setAttribute('data-react-aria-top-layer', 'true');
  let isOpen = false;
  let isFirst = true;

  const isOurs = (event: Event) => event.composedPath().includes(host);
  for (const type of told)
    on(type, (event) => {
      if (!isOurs(event)) return;
      event.stopImmediatePropagation();
      // Our own listeners get a copy, which does not leave the shadow tree.
      const { detail } = event;
      event.composedPath()[0]!.dispatchEvent(new CustomEvent(type, { bubbles: true, detail }));
    });
  on('focusout', (event) => {
    if (event.relatedTarget === host && trapOf(event)) event.stopImmediatePropagation();
  });

  /** What has had the focus or a press: dialogs, and what only a script can focus. */
  const met = new WeakSet<EventTarget>();
  const meet = (event: FocusEvent | PointerEvent) => {
    const { target, relatedTarget } = event;
    const place = trapOf(event) ?? (target instanceof HTMLElement && target.tabIndex < 0 ? target : null);
    if (!place || met.has(place)) return;
    met.add(place);
    // A script has opened it while the customer was writing.
    if (isOpen && relatedTarget === host) frames[0]!.focus();
  };
  on('focusin', meet);
  on('pointerdown', meet);

  /** Escape in the panel moves the focus into the page before the key is released. */
  let isPageKey = false;
  on('keydown', (event) => {
    isPageKey = !isOurs(event);
    const { key } = event;
    // A page's own shortcuts, such as for its video, would keep the launcher from being pressed.
    const isPress = key === ' ' || key === 'Enter';
    if (isPageKey || !(isOpen || isPress)) return;
    event.stopImmediatePropagation();
    if (key === 'Escape') commands.close();
    // The page has heard it first.
    if (isPress && event.defaultPrevented) (event.composedPath()[0] as HTMLElement).click();
  });
  on('keyup', (event) => {
    if ([' ', 'Escape'].includes(event.key) && !isPageKey) event.stopImmediatePropagation();
    isPageKey = false;
  });

  return (isNowOpen) => {
    isOpen = isNowOpen;
    // Opened before this script was loaded: the page may have pulled the focus back already.
    const { activeElement } = safeDocument;
    // The widget itself may be inside the page's dialog.
    const isPulled =
      activeElement !== host && activeElement && Element.prototype.closest.call(activeElement, trap);
    if (isFirst && isOpen && isPulled) frames[0]!.focus();
    isFirst = false;
  };
}
