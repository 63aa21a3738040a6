import type { FrameSettings } from '../bridge/messages.ts';
import type { Settings } from './api.ts';
import { safeDocument } from './dom.ts';

/** Changes settings in place; a colour that is taken back falls to its default. */
export function change(settings: Settings, ...changes: (object | undefined)[]): Settings {
  Object.assign(settings, ...changes);
  settings.color ??= '#2b59c3';
  return settings;
}

/** What the frame is told, as JSON. The page's query and hash stay behind: they can hold secrets. */
function settingsJson(settings: Settings): string {
  const page_url = location.origin + location.pathname;
  return JSON.stringify({ ...settings, page_url, origin: location.origin });
}

/** Only what is data: a page may keep functions among its settings, and no message can carry those. */
export const frameSettings = (settings: Settings): FrameSettings => JSON.parse(settingsJson(settings));

export const language = (settings: Settings): string => settings.locale ?? safeDocument.documentElement.lang;

/** Where the frame is fetched. Settings travel in the fragment, which no server sees. */
export const frameUrl = (bff: string, settings: Settings): string =>
  `${bff}/frame?lang=${language(settings)}#` + encodeURIComponent(settingsJson(settings));
