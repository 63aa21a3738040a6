import { render } from 'preact';
import { effect } from '../state/signal.ts';
import { App } from './App.tsx';
import { focusView } from './focus.ts';
import type { Shared } from './shared.ts';

/** Draws the app into `root` and keeps it drawn; focus follows each move. */
export function mount(root: HTMLElement, app: Shared) {
  const { view, isOpen } = app;
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) app.close?.();
  });
  let isOwed = false;
  /** Never takes the focus from where the customer is in the host page: it waits for them, or for the loader's help. */
  function focus() {
    isOwed = !document.hasFocus() && app.close !== null;
    if (document.hasFocus()) focusView(root);
  }
  /** What lost the focus to nothing: to a modal dialog of the host page, which gives it back to the frame alone. */
  let left: EventTarget | null = null;
  addEventListener('focusout', ({ target, relatedTarget }) => {
    left = relatedTarget ? null : target;
  });
  addEventListener('click', () => {
    left = null;
  });
  addEventListener('focus', () => {
    if (isOwed) focus();
    // With a finger it would raise the keyboard. And first whatever was clicked or tabbed to takes the focus.
    else if (!matchMedia('(pointer: coarse)').matches)
      setTimeout(() => document.activeElement === document.body && (left as HTMLElement | null)?.focus());
  });
  // A page that has just loaded leaves focus where the browser put it.
  let seen = app.close ? '' : 'true0';
  let hadField = false;
  effect(() => {
    const hadFocus = root.contains(document.activeElement);
    render(<App app={app} />, root);
    const place = `${isOpen.value}${view.moves.value}`;
    // What had focus may be gone: a button that has done its work.
    const isLost = hadFocus && document.activeElement === document.body;
    const hasField = root.querySelector('[data-focus=field]') !== null;
    // The heading stood in for a field that was yet to come.
    const isDue = hasField && !hadField && document.activeElement?.matches('[data-focus=heading]');
    if (isOpen.value && (place !== seen || isLost || isDue)) focus();
    seen = place;
    hadField = hasField;
  });
}
