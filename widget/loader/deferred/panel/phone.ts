import type { Core } from '../../deferred.ts';

/** Where the panel fills the window; the same query is in ../styles.css. */
export const filling = '(width<=480px),(height<=480px)';

/** On phones the panel is a modal dialog that fills the visible part of the window. */
export function createPhone({ view, commands, signal, render }: Core): (isOpen: boolean) => void {
  const { dialog, shadow } = view;
  const phone = matchMedia(filling);
  let isOpen = false;

  // Until the app is ready, only the launcher can close the panel, so it must stay reachable.
  const isToBeModal = () => isOpen && phone.matches && dialog.className === 'ready';

  function update() {
    const isModal = isToBeModal();
    if (isModal === dialog.open) return;
    const focused = shadow.activeElement as HTMLElement | null;
    if (isModal) dialog.showModal();
    else dialog.close();
    focused?.focus();
  }

  phone.addEventListener('change', render, { signal });
  dialog.addEventListener(
    'cancel',
    (event) => {
      event.preventDefault();
      commands.close();
    },
    { signal },
  );
  // Closed by the system without `cancel`, as by a phone's back gesture. The event is asynchronous, and comes also for a
  // close of our own while the app loads again.
  dialog.addEventListener('close', () => !dialog.open && isToBeModal() && commands.close(), { signal });

  // The on-screen keyboard covers the window without resizing it, so the dialog follows the visual viewport.
  const viewport = window.visualViewport;
  const fit = () => {
    // Only where they are used: reading the sizes makes the browser lay out the page.
    if (!viewport || !isOpen || !phone.matches) return;
    const { width, height, offsetLeft, offsetTop, scale } = viewport;
    const set = (name: string, px: number) =>
      dialog.style.setProperty(name, `${px / (dialog.currentCSSZoom ?? 1)}px`);
    // Fingers may have enlarged the page: the viewport shows a part of the dialog then, which stays in its place.
    const enlarged = Math.max(1, scale);
    set('--height', height * enlarged);
    // On a page that is wider than the screen, the window is wider, too.
    set('--width', width * enlarged);
    if (scale > 1.01) return;
    set('--top', offsetTop);
    set('--left', offsetLeft);
  };
  for (const change of ['resize', 'scroll']) viewport?.addEventListener(change, fit, { signal });

  return (isNowOpen) => {
    isOpen = isNowOpen;
    update();
    fit();
  };
}
