import type { Core } from '../../deferred.ts';
import { safeDocument } from '../../dom.ts';
import { rememberOpen, wasOpen } from '../../used.ts';
import { filling } from './phone.ts';

/** Opens the panel again if it was open on the last page of this visit. It does not take the focus. */
export function createStayOpen({ view, commands, settings, opener, signal }: Core) {
  // If the panel fills the window, it would hide the page that the customer has opened. It also stays closed if the
  // customer has used the launcher meanwhile.
  if (opener === undefined && wasOpen() && settings.stayOpen !== false && !matchMedia(filling).matches) {
    const focused = safeDocument.activeElement as HTMLElement | null;
    commands.open();
    (view.shadow.activeElement as HTMLElement | null)?.blur();
    focused?.focus({ preventScroll: true });
  }
  signal.addEventListener('abort', () => rememberOpen(false));
  return rememberOpen;
}
