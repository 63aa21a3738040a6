import type { Core } from '../guest.ts';

/** Where the panel fills the window: the same as in the guest's styles. */
const filling = '(max-width: 480px), (max-height: 480px)';

/** On phones the panel is all there is: a modal that the page behind is no part of, as high as is seen of the window. */
export function createPhone({ view, commands, signal }: Core): (isOpen: boolean) => void {
  const { dialog, shadow } = view;
  const phone = matchMedia(filling);
  let isOpen = false;

  // Until the app is ready, the launcher is the way to close.
  const isToBeModal = () => isOpen && phone.matches && dialog.className === 'ready';

  function settle() {
    const isModal = isToBeModal();
    if (isModal === dialog.open) return;
    const focused = shadow.activeElement as HTMLElement | null;
    if (isModal) dialog.showModal();
    else dialog.close();
    focused?.focus();
  }

  phone.addEventListener('change', settle, { signal });
  dialog.addEventListener(
    'cancel',
    (event) => {
      event.preventDefault();
      commands.close();
    },
    { signal },
  );
  // Closed by the system, which may leave out the question: the back gesture of a phone. The event comes late, also
  // for what was closed here while the app loaded anew.
  dialog.addEventListener('close', () => !dialog.open && isToBeModal() && commands.close(), { signal });

  // The keyboard covers the window without resizing it: the dialog keeps to the part that is seen.
  const viewport = window.visualViewport;
  const fit = () => {
    dialog.style.setProperty('--seen', `${viewport!.height}px`);
    dialog.style.setProperty('--top', `${viewport!.offsetTop}px`);
  };
  for (const change of ['resize', 'scroll']) viewport?.addEventListener(change, fit, { signal });

  return (isNowOpen) => {
    isOpen = isNowOpen;
    settle();
  };
}
