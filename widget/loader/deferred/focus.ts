import { safeDocument } from '../dom.ts';
import type { Core } from '../guest.ts';

const trap = '[aria-modal="true"], [role="dialog"], [role="alertdialog"], dialog';

/** Pages that pull the focus back do so at once, or a few milliseconds later. */
const PULL_MS = 50;

/** Lets customers into the widget while the page keeps the focus in a dialog of its own making. */
export function createFocusPass({ view, frames, signal }: Core): (isOpen: boolean) => void {
  const { host, launcher } = view;
  // SECURITY: of a form, fields with names take the place of members.
  const trapOf = (target: EventTarget | null) =>
    target instanceof Element && Element.prototype.closest.call(target, trap);
  let isOpen = false;
  /** Only then are events kept from the page: others learn from them what their fields have lost. */
  let isPulling = false;
  let isFirst = true;

  function check() {
    const { activeElement } = safeDocument;
    // The widget itself may stand in the page's dialog.
    if (isPulling || activeElement === host || !trapOf(activeElement)) return;
    isPulling = true;
    if (isOpen) frames[0]!.focus();
    else launcher.focus();
  }

  // On the window and first: such pages listen further in.
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
    // Opened before this stood: the page has pulled the focus back.
    if (isFirst && isOpen) check();
    isFirst = false;
  };
}
