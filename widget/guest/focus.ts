import type { Core } from '../loader/guest.ts';

const trap = '[aria-modal="true"], [role="dialog"], [role="alertdialog"], dialog';

/** Lets customers into the widget while the page keeps the focus in a dialog of its own making. */
export function createFocusPass({ view, frames, signal }: Core): (isOpen: boolean) => void {
  const { host } = view;
  let wasTaken = document.activeElement?.closest(trap);

  // On the window and first: such pages listen further in, and pull the focus back.
  const pass = (event: Event) => {
    const { target, relatedTarget } = event as FocusEvent;
    const leavesTrap =
      event.type === 'focusout' && relatedTarget === host && (target as Element).closest?.(trap);
    if (target === host || leavesTrap) event.stopImmediatePropagation();
  };
  for (const type of ['focusin', 'focusout']) addEventListener(type, pass, { capture: true, signal });

  return (isOpen) => {
    // Opened before this stood: the page has pulled the focus back.
    if (isOpen && wasTaken && document.activeElement !== host) frames[0]!.focus();
    wasTaken = null;
  };
}
