import { en } from './en.ts';

/** Every language that the build makes a frame document for. Read by the build only: the app gets one of them. */
export const languages = [{ tag: 'en', dir: 'ltr', sentences: en }] as const;
