import type { Site } from '../../shared/contract/site.ts';
import type { FrameMessage } from '../bridge/messages.ts';
import { isOnFullPage, linkedTicket, readHash } from './browser/address.ts';
import { applyAppearance, initialOf, logoOf, readBrand } from './ui/appearance.ts';
import { createValues, usedName } from './browser/storage.ts';
import { refuseFiles } from './browser/refuse-files.ts';
import { noticeAt } from './site/by-time.ts';
import { submittedMark, takenMark } from './new-ticket/submitted-mark.ts';

/*
 * This script is inlined in the document and runs before the first paint. It applies the site's colours, name, logo and
 * greeting to what the build drew, and adds what the operator says above the form. If the app will show something else,
 * it replaces the form by an outline and fetches what is needed. It keeps what is typed into the form, and records a press
 * of "Send", before the app is loaded.
 */
const settings = { ...readBrand(), ...readHash() };
const root = document.documentElement;
const app = document.getElementById('app')!;
const store = createValues(() => localStorage);
root.classList.toggle('full-page', isOnFullPage);
root.classList.toggle('inline', !!settings.inline);
applyAppearance(root, settings, matchMedia('(prefers-color-scheme: dark)').matches);

const { brand, greeting } = settings;
const mark = app.querySelector('.brand-mark')!;
if (brand) {
  mark.textContent = initialOf(brand);
  mark.nextSibling!.textContent = brand;
}
const logo = logoOf(settings);
if (logo) {
  const image = Object.assign(new Image(), { src: logo, alt: '', referrerPolicy: 'no-referrer' });
  image.addEventListener('error', () => image.remove());
  mark.append(image);
}
if (greeting) app.querySelector('h1')!.textContent = greeting;

// What the script of the settings draws above the form, so that it finds its place taken.
const block = document.getElementById('site');
if (block) {
  const site = JSON.parse(block.textContent) as Site;
  const { files, hours, sentences } = site;
  root.classList.toggle('attach', !!files && settings.files !== 'off');
  const add = (className: string, textContent: string) =>
    app
      .querySelector('.hero')!
      .append(Object.assign(document.createElement('p'), { className, textContent, dir: 'auto' }));
  if (hours || sentences.replyTime) add('reply-time', hours ? '' : sentences.replyTime!);
  const notice = noticeAt(site, Date.now());
  if (notice) add('site-notice', notice.text);
}

if (
  settings.identify ||
  (isOnFullPage && (location.hash.startsWith('#handoff=') || linkedTicket())) ||
  store.read(usedName)
) {
  const outline = Object.assign(document.createElement('div'), { className: 'body skeleton' });
  for (let part = 0; part < 3; part += 1) outline.append(document.createElement('i'));
  app.querySelector('.body')!.replaceWith(outline);
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('.returning'))
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
} else {
  // The draft of the form, as `drafts.ts` keeps it while nobody is signed in.
  const draft = { ...Object(store.read('draft:new')) } as Record<string, unknown>;
  for (const field of app.querySelectorAll<HTMLInputElement>('[name]')) {
    const text = draft[field.name];
    if (typeof text === 'string') field.value = text;
  }
  document.addEventListener('input', ({ target }) => {
    const { name, value } = target as HTMLInputElement;
    if (!name || name === 'website' || takenMark in root.dataset) return;
    store.write('draft:new', Object.assign(draft, { [name]: value }));
  });
}
refuseFiles();
document.addEventListener('submit', (event) => {
  event.preventDefault();
  root.dataset[submittedMark] = '';
});
// SECURITY: never posted to an unknown origin.
if (settings.origin) window.parent.postMessage({ type: 'drawn' } satisfies FrameMessage, settings.origin);
