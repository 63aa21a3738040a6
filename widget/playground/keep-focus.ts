/**
 * A panel takes the focus when it opens or is rendered again, also in an inert frame. This returns the focus to the
 * element that the site owner was using. Returns the function that ends this.
 */
export function keepFocusOutOf(frame: HTMLIFrameElement): () => void {
  let last: HTMLElement | null = null;
  const lifetime = new AbortController();
  const { signal } = lifetime;
  const giveBack = () => {
    if (signal.aborted || document.activeElement !== frame) return;
    frame.blur();
    window.focus();
    last?.focus({ preventScroll: true });
  };
  document.addEventListener('focusin', ({ target }) => (last = target as HTMLElement), { signal });
  // The browser is still moving the focus during this event, and would override a change.
  window.addEventListener('blur', () => setTimeout(giveBack), { signal });
  return () => lifetime.abort();
}
