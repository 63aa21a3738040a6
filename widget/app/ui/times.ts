import { createTimes } from '../i18n/times.ts';

/** In the language of the document; none in tests, which are English. */
export const { agoText, clockText, dayText, fullTime } = createTimes(document.documentElement.lang || 'en');
