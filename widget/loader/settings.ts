import type { FrameSettings } from '../bridge/messages.ts';
import type { Settings } from './api.ts';
import { safeDocument } from './dom.ts';

/** Changes settings in place. A colour that is set to null or undefined becomes the default. */
export function change(settings: Settings, ...changes: (object | undefined)[]): Settings {
  Object.assign(settings, ...changes);
  settings.color ??= '#2b59c3';
  return settings;
}

/** The settings for the frame, as JSON. The page's query and hash are left out: they can hold secrets. */
function settingsJson(settings: Settings): string {
  const page_url = location.origin + location.pathname;
  return JSON.stringify({ ...settings, page_url, origin: location.origin });
}

/** Data only: a page may put functions among its settings, and `postMessage` throws for those. */
export const frameSettings = (settings: Settings): FrameSettings => JSON.parse(settingsJson(settings));

export const language = (settings: Settings): string => settings.locale ?? safeDocument.documentElement.lang;

/** The frame's URL. Settings are in the fragment, which no server sees. */
export const frameUrl = (bff: string, settings: Settings): string =>
  `${bff}/frame?lang=${language(settings)}${self.crossOriginIsolated ? '&isolated' : ''}#` +
  encodeURIComponent(settingsJson(settings));
