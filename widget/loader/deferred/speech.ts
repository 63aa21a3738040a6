import type { Core } from '../guest.ts';
import { language } from '../settings.ts';
import { chooseWords } from './words.ts';

/** Keeps the core in the page's language; English it speaks by itself. */
export function createSpeech({ settings, words, frames, view }: Core) {
  const choose = () => chooseWords([language(settings), ...navigator.languages], settings.texts);
  let spoken = JSON.stringify(words);
  let { unread } = choose();
  return {
    unread: () => unread,
    render(isOpen: boolean) {
      const chosen = choose();
      ({ unread } = chosen);
      const next = JSON.stringify(chosen);
      if (next === spoken) return;
      spoken = next;
      Object.assign(words, chosen);
      for (const { box } of frames) {
        const iframe = box.querySelector('iframe');
        if (iframe) iframe.title = words.title;
      }
      view.render(settings, words, isOpen);
    },
  };
}
