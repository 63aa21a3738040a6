import { element, safeDocument } from './dom.ts';
import { install } from './install.ts';

/**
 * The tag: the running one or, since a module has none, the first with such an address. A copy of the file in another one
 * runs in a tag with another address.
 */
const tag = [safeDocument.currentScript as HTMLScriptElement, ...safeDocument.scripts].find((script) =>
  /^http.+\/widget(-[^/]+)?\.js/.test(script?.src),
);

if (tag)
  // The address is absolute because a classic script of another origin has no base for a relative one. It has the number
  // of the attempt because browsers do not fetch a module again whose address has failed.
  install(tag, (bff, attempt) => {
    const href = bff + __DEFERRED_PATH__ + attempt;
    const { integrity, nonce } = tag;
    // `import()` takes no hash, and a page with an `Integrity-Policy` runs no script without one. A preload takes one, and
    // the import then uses what it has loaded.
    const preload = element('link', {
      rel: 'modulepreload',
      crossorigin: '',
      integrity: __DEFERRED_HASH__,
      nonce,
      href,
    });
    if (integrity) safeDocument.head.append(preload);
    return import(/* @vite-ignore */ href).finally(() => preload.remove());
  });
// oxlint-disable-next-line no-console -- for the page's developer
else console.warn('Deskside: no script tag of widget.js');
