import type { Core } from '../../deferred.ts';

const form = /^#deskside(?:\?(.*))?$/s;

/** What a link to the widget fills in. */
export type Texts = Record<'description' | 'subject', string>;

/** Null if it is no such link. */
export function readLink(link: unknown): Texts | null {
  const [isLink, query] = form.exec(String(link)) ?? [];
  if (isLink === undefined) return null;
  const texts = new URLSearchParams(query);
  // SECURITY: never name or address. The author of the link would get the answers.
  return { description: texts.get('message') ?? '', subject: texts.get('subject') ?? '' };
}

/**
 * Opens the panel where the page's address ends with `#deskside`, and for `#deskside?message=…&subject=…` the form with that
 * text, which the customer sees and sends themselves.
 */
export function createLink({ calls, signal }: Core): void {
  function follow() {
    const { hash, href } = location;
    if (!readLink(hash)) return;
    // Without it the same link works again, and a reload does not open the panel anew.
    history.replaceState(history.state, '', href.split('#')[0]);
    calls.push([hash]);
  }
  follow();
  addEventListener('hashchange', follow, { signal });
}
