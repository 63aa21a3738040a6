import type { FrameSettings } from '../bridge/messages.ts';
import type { Settings } from './api.ts';

export const defaults: Settings = { color: '#2b59c3', offset: 20 };

/** What the frame is told, as JSON. The page's query and hash stay behind: they can hold secrets. */
const settingsJson = (settings: Settings): string =>
  JSON.stringify({ ...settings, page_url: location.origin + location.pathname, origin: location.origin });

/** Only what is data: a page may keep functions among its settings, and no message can carry those. */
export const frameSettings = (settings: Settings): FrameSettings => JSON.parse(settingsJson(settings));

export const language = (settings: Settings): string => settings.locale ?? document.documentElement.lang;

/** Where the frame is fetched. Settings travel in the fragment, which no server sees. */
export const frameUrl = (bff: string, settings: Settings): string =>
  `${bff}/frame?lang=${language(settings)}#` + encodeURIComponent(settingsJson(settings));
