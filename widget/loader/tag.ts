import type { DeferredModule } from './deferred.ts';
import { safeDocument } from './dom.ts';
import { install } from './install.ts';

/**
 * Installs the widget for its tag: the running one or, since a module has none, the first with such an address. A copy of
 * the file in another one runs in a tag with another address.
 */
export function installForTag(
  importDeferred: (href: string, tag: HTMLScriptElement) => Promise<DeferredModule>,
): void {
  const isOurs = (script: HTMLOrSVGScriptElement | null): script is HTMLScriptElement =>
    /\/widget(-[^/]+)?\.js/.test((script as HTMLScriptElement)?.src);
  const running = safeDocument.currentScript;
  const tag = isOurs(running) ? running : [...safeDocument.scripts].find(isOurs);
  // The address is absolute because a classic script of another origin has no base for a relative one. It has the number
  // of the attempt because browsers do not fetch a module again whose address has failed.
  if (tag) install(tag, (bff, attempt) => importDeferred(bff + __DEFERRED_PATH__ + attempt, tag));
  // oxlint-disable-next-line no-console -- for the page's developer
  else console.warn('Deskside: no script tag');
}
