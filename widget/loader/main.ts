import { safeDocument } from './dom.ts';
import { install } from './install.ts';

/**
 * The tag: the running one or, since a module has none, the first with such an address. A copy of the file in another one
 * runs in a tag with another address.
 */
const tag = [safeDocument.currentScript as HTMLScriptElement, ...safeDocument.scripts].find((script) =>
  /^https?:..[^/]+\/widget(-[^/]+)?\.js/.test(script?.src),
);

if (tag)
  // The address is absolute because a classic script of another origin has no base for a relative one. It has the number
  // of the attempt because browsers do not fetch a module again whose address has failed.
  install(tag, (bff, attempt) => import(/* @vite-ignore */ bff + __DEFERRED_PATH__ + attempt));
// oxlint-disable-next-line no-console -- for the page's developer
else console.warn('Deskside: no script tag of widget.js');
