import type { Core } from '../deferred.ts';
import { safeDocument } from '../dom.ts';
import { language } from '../settings.ts';
import { iframeOf } from './panel/panel.ts';
import { chooseWords } from './words.ts';

/** Keeps the launcher's sentences in the page's language. The loader itself has English only. */
export function createTranslation({ settings, words, frames, view }: Core) {
  const choose = () => chooseWords([language(settings), ...navigator.languages], settings.texts);
  let current = JSON.stringify(words);
  let unread = '';
  const pageLanguage = () => safeDocument.documentElement.lang;
  let lang = pageLanguage();
  return {
    unread: () => unread,
    render(isOpen: boolean) {
      const chosen = choose();
      ({ unread } = chosen);
      // The page has changed its language without a reload, or the browser has translated it. `update` loads the frames again
      // itself. Not while the customer is writing: the keys that they press would be lost.
      const isWriting = frames.some(({ box }) => box.matches(':focus-within'));
      if (lang !== pageLanguage() && !settings.locale && !isWriting) {
        lang = pageLanguage();
        frames.forEach((each) => each.reload());
        // Loading has rendered all: what follows here would add the count to the launcher's name again.
        view.render(isOpen);
      }
      const next = JSON.stringify(chosen);
      if (next === current) return;
      current = next;
      Object.assign(words, chosen);
      for (const frame of frames) {
        const iframe = iframeOf(frame);
        if (iframe) iframe.title = words.title;
      }
      view.render(isOpen);
    },
  };
}
