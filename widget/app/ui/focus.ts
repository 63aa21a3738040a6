import type { App } from '../app.ts';

/** Focuses the first element of the view with a `data-focus`, in this order of its values. */
function focusView(root: HTMLElement) {
  for (const place of ['summary', 'part', 'row', 'field', 'heading']) {
    // On touch screens a focused field opens the keyboard over the text.
    if (place === 'field' && matchMedia('(pointer: coarse)').matches) continue;
    const element = root.querySelector<HTMLElement>(`[data-focus=${place}]`);
    element?.focus();
    if (element) break;
  }
}

/** Keeps the focus at a useful place. To be called before the first render into `root`. */
export function keepFocus(root: HTMLElement, { view, isOpen, close }: App) {
  let isOwed = false;
  /** Never takes the focus from the host page: waits until the frame has it. */
  function focus() {
    isOwed = !document.hasFocus() && close !== null;
    if (document.hasFocus()) focusView(root);
  }
  /** The element that had the focus when the frame lost it, as to a modal dialog of the page, which restores only the frame's. */
  let left: EventTarget | null = null;
  let leftAt = 0;
  addEventListener('focusout', ({ target, relatedTarget, timeStamp }) => {
    left = relatedTarget ? null : target;
    leftAt = timeStamp;
  });
  addEventListener('click', () => {
    left = null;
  });
  addEventListener('focus', ({ timeStamp }) => {
    if (isOwed) focus();
    // On touch screens only at once, as when the panel becomes a modal dialog: it would open the keyboard. Later, since a
    // click or Tab first sets its own focus.
    else if (timeStamp - leftAt < 100 || !matchMedia('(pointer: coarse)').matches)
      setTimeout(() => document.activeElement === document.body && (left as HTMLElement | null)?.focus());
  });

  /** The element that has the focus, or had it when it was removed. */
  let focused: EventTarget | null = document.activeElement;
  root.addEventListener('focusin', ({ target }) => {
    focused = target;
  });
  root.addEventListener('focusout', ({ target }) => {
    // Some browsers fire this for removed elements too, and all do when the window loses the focus.
    setTimeout(() => {
      if (focused === target && document.activeElement !== target) focused = null;
    });
  });
  const isGone = ({ removedNodes }: MutationRecord) =>
    [...removedNodes].some((node) => node.contains(focused as Node | null));

  let hadField = false;
  const observer = new MutationObserver((records) => {
    // The focused element was removed, such as a button after its action.
    const isLost = document.activeElement === document.body && records.some(isGone);
    const hasField = root.querySelector('[data-focus=field]') !== null;
    // The heading had the focus only until the field was rendered.
    const isDue = hasField && !hadField && document.activeElement?.matches('[data-focus=heading]');
    if (isOpen.peek() && (isLost || isDue)) focus();
    hadField = hasField;
  });
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['data-focus'] });

  return {
    /** To be called after a navigation, and after the panel was opened or closed, once that is rendered. */
    follow() {
      // Loading does not move the focus on the full page, nor while the customer is writing.
      const { activeElement, body } = document;
      const current = activeElement === body ? (left as Element | null) : activeElement;
      const isWriting = current?.matches('input, textarea, select');
      const isToStay = view.moves.peek() === 0 && (close === null || isWriting);
      if (isOpen.peek() && !isToStay) focus();
    },
  };
}
