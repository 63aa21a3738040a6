import { safeDocument } from './dom.ts';
import { install } from './install.ts';

// In a classic script of another origin a relative path would have no base. Browsers never fetch again what failed once
// under the same address.
install(
  safeDocument.currentScript as HTMLScriptElement,
  (bff, attempt) => import(/* @vite-ignore */ bff + __GUEST_PATH__ + attempt),
);
