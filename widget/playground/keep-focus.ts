/**
 * A panel that opens or draws itself anew takes the focus, also in an inert frame; here it gives it back to where the
 * site owner is at work. Returns the function that ends this.
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
  // The browser is still at moving the focus when it says so, and would go on.
  window.addEventListener('blur', () => setTimeout(giveBack), { signal });
  return () => lifetime.abort();
}
