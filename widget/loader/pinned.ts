import { element, safeDocument } from './dom.ts';
import { installForTag } from './tag.ts';

/**
 * The loader for a tag with a hash. `import()` takes no hash, and a page with an `Integrity-Policy` runs no script without
 * one. A preload takes one, and the import then uses what it has loaded.
 */
installForTag((href, { nonce }) => {
  const preload = element('link', {
    rel: 'modulepreload',
    crossorigin: '',
    integrity: __DEFERRED_HASH__,
    nonce,
    href,
  });
  safeDocument.head.append(preload);
  return import(/* @vite-ignore */ href).finally(() => preload.remove());
});
