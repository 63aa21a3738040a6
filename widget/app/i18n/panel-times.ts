import { createTimes } from './times.ts';

/** Times in the language of the document. Tests have none, and use English. */
export const { agoText, clockText, dayText, fullTime } = createTimes(document.documentElement.lang || 'en');
