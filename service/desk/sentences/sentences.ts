import { en } from './en/en.ts';

/** The desk's catalogue in one language: another language is an object of this type. */
export type Sentences = typeof en;

/** In the language of the desk. */
export const sentences: Sentences = en;
