import { safeDocument } from './dom.ts';
import { install } from './install.ts';

// The address is absolute because a classic script of another origin has no base for a relative one. It has the number
// of the attempt because browsers do not fetch a module again whose address has failed.
install(
  safeDocument.currentScript as HTMLScriptElement,
  (bff, attempt) => import(/* @vite-ignore */ bff + __DEFERRED_PATH__ + attempt),
);
