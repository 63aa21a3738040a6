import type { Core } from '../loader/guest.ts';
import { language } from '../loader/settings.ts';
import { chooseWords } from './words.ts';

/** Keeps the core in the page's language; English it speaks by itself. */
export function createSpeech({ settings, words, frames, render }: Core): () => void {
  let spoken = JSON.stringify(words);
  return () => {
    const chosen = chooseWords([language(settings), ...navigator.languages], settings.texts);
    const next = JSON.stringify(chosen);
    if (next === spoken) return;
    spoken = next;
    Object.assign(words, chosen);
    for (const { box } of frames) {
      const iframe = box.querySelector('iframe');
      if (iframe) iframe.title = words.title;
    }
    render();
  };
}
