import { element } from '../dom.ts';
import type { Core } from '../deferred.ts';

/** Shows the number of unread messages on the launcher, and adds it to its accessible name. */
export function createBadge({ view }: Core, sentence: () => string) {
  const { launcher } = view;
  const badge = element('span');
  launcher.append(badge);
  return (_isOpen: boolean, unread: number) => {
    badge.textContent = unread > 9 ? '9+' : String(unread || '');
    if (!unread) return;
    const name = launcher.getAttribute('aria-label');
    launcher.setAttribute('aria-label', `${name}, ${sentence().replace('{count}', String(unread))}`);
  };
}
