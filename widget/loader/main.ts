import { install } from './install.ts';

install(document.currentScript as HTMLScriptElement);
