import type { FrameMessage } from '../bridge/messages.ts';
import { isOnFullPage, linkedTicket, readHash } from './browser/address.ts';
import { readBrand } from './browser/brand.ts';
import { readStored, usedName } from './browser/storage.ts';
import { submittedMark } from './new-ticket/submitted-mark.ts';
import { applyAppearance } from './ui/appearance.ts';

/*
 * This script is inlined in the document and runs before the first paint. It applies the site's colours to the
 * prerendered form. If the app will show something else, it removes the form and fetches what is needed. It also
 * records a press of "Send" that comes before the app is loaded.
 */
const settings = { ...readBrand(), ...readHash() };
const root = document.documentElement;
root.classList.toggle('full-page', isOnFullPage);
applyAppearance(root, settings, matchMedia('(prefers-color-scheme: dark)').matches);
if (
  settings.identify ||
  (isOnFullPage && (location.hash.startsWith('#handoff=') || linkedTicket())) ||
  readStored(() => localStorage, usedName)
) {
  document.getElementById('app')!.replaceChildren();
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('.known'))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
document.addEventListener('submit', (event) => {
  event.preventDefault();
  root.dataset[submittedMark] = '';
});
// SECURITY: never posted to an unknown origin.
if (settings.origin) window.parent.postMessage({ type: 'drawn' } satisfies FrameMessage, settings.origin);
