import type { FrameSettings } from '../bridge/messages.ts';

/** The frame checks what it is given; to the loader a wrong value does no harm. */
export interface Settings extends Partial<FrameSettings> {
  /** Language of the frame; by default the page's own. */
  locale?: string;
  /** Accessible name of the launcher. */
  label?: string;
  zIndex?: number;
  /** Distance of launcher and panel from the window's edges, in CSS pixels. */
  offset?: number;
}

export const defaults: Settings = { color: '#2b59c3', zIndex: 2e9, offset: 20 };

/** What the frame is told, as JSON. The page's query and hash stay behind: they can hold secrets. */
const settingsJson = (settings: Settings): string =>
  JSON.stringify({ ...settings, page_url: location.origin + location.pathname, origin: location.origin });

/** Only what is data: a page may keep functions among its settings, and no message can carry those. */
export const frameSettings = (settings: Settings): FrameSettings => JSON.parse(settingsJson(settings));

/** Where the frame is fetched. Settings travel in the fragment, which no server sees. */
export const frameUrl = (bff: string, settings: Settings): string =>
  `${bff}/frame?lang=${settings.locale ?? document.documentElement.lang}#` +
  encodeURIComponent(settingsJson(settings));
