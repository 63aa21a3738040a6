import { safeDocument } from '../../dom.ts';
import type { Core } from '../../deferred.ts';

const trap = '[aria-modal="true"], [role="dialog"], [role="alertdialog"], dialog';

/** Pages that pull the focus back do so at once, or a few milliseconds later. */
const PULL_MS = 50;

/**
 * Lets customers focus the widget while the page traps the focus in a custom dialog: hides the focus events of the widget
 * from the page.
 */
export function createFocusPass({ view, frames, signal }: Core): (isOpen: boolean) => void {
  const { host, launcher } = view;
  // SECURITY: a form's fields can replace its members, such as `closest`.
  const trapOf = (target: EventTarget | null) =>
    target instanceof Element && Element.prototype.closest.call(target, trap);
  let isOpen = false;
  /** The page pulls the focus back. Only then are events hidden from it: other pages need them. */
  let isPulling = false;
  let isFirst = true;

  function check() {
    const { activeElement } = safeDocument;
    // The widget itself may be inside the page's dialog.
    if (isPulling || activeElement === host || !trapOf(activeElement)) return;
    isPulling = true;
    if (isOpen) frames[0]!.focus();
    else launcher.focus();
  }

  // On the window in the capture phase: before the page's own listeners, which are usually on the document.
  const pass = (event: Event) => {
    const { type, target, relatedTarget } = event as FocusEvent;
    const isOurs = target === host;
    const leavesTrap = type === 'focusout' && relatedTarget === host && trapOf(target);
    if (!isOurs && !leavesTrap) return;
    if (isPulling) event.stopImmediatePropagation();
    else if (leavesTrap || type === 'focusin') setTimeout(() => signal.aborted || check(), PULL_MS);
  };
  for (const type of ['focusin', 'focusout']) addEventListener(type, pass, { capture: true, signal });

  return (isNowOpen) => {
    isOpen = isNowOpen;
    // Opened before this script was loaded: the page may have pulled the focus back already.
    if (isFirst && isOpen) check();
    isFirst = false;
  };
}
