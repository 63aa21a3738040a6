import { browser } from './browser.ts';
import { outcomes } from './outcomes.ts';
import { pages } from './pages.ts';

/** Every text of the desk that an agent reads, in English. A text with values in it is a function. */
export const en = { ...pages, ...outcomes, ...browser };
