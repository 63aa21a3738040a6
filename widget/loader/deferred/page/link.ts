import type { Core } from '../../deferred.ts';
import type { Said } from './said.ts';

const form = /^#deskside(?:\?(.*))?$/s;

/**
 * Opens the panel for a link of the page to `#deskside`, and for `#deskside?message=…&subject=…` the form with that text,
 * which the customer sees and sends themselves.
 */
export function createLink({ commands, signal }: Core, said: Said): void {
  function follow() {
    const [isLink, query] = form.exec(location.hash) ?? [];
    if (!isLink) return;
    // Without it the same link works again, and a reload does not open the panel anew.
    history.replaceState(history.state, '', location.href.split('#')[0]);
    const link = new URLSearchParams(query);
    // SECURITY: never name or address. The author of the link would get the answers.
    const texts = { description: link.get('message') ?? '', subject: link.get('subject') ?? '' };
    const hasText = Object.values(texts).some(Boolean);
    if (hasText) {
      said.fields = { ...said.fields, ...texts };
      commands.prefill();
    }
    commands.open(hasText ? { view: 'new' } : undefined);
  }
  follow();
  addEventListener('hashchange', follow, { signal });
}
