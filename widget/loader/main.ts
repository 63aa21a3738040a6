import { install } from './install.ts';

const script = document.currentScript as HTMLScriptElement;

// In a classic script of another origin a relative path would have no base.
install(script, () => import(/* @vite-ignore */ new URL(__GUEST_PATH__, script.src).href));
