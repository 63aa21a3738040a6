import { install } from './install.ts';

const script = document.currentScript as HTMLScriptElement;

// In a classic script of another origin a relative path would have no base. Browsers never fetch again what failed once
// under the same address.
install(
  script,
  (attempt) => import(/* @vite-ignore */ new URL(__GUEST_PATH__ + '?' + attempt, script.src).href),
);
