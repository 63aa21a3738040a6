import { plain } from '../bridge/fields.ts';
import type { FrameSettings } from '../bridge/messages.ts';
import type { Settings } from './api.ts';
import { safeDocument } from './dom.ts';

/**
 * Changes settings in place. A colour that the browser does not know, or that depends on the page, would make the launcher
 * invisible: without one it has ours.
 */
export function change(settings: Settings, ...changes: unknown[]): Settings {
  Object.assign(settings, ...changes.map(plain));
  const { color } = settings;
  if (color && (!CSS.supports('color', color) || /--|cur/i.test(color))) delete settings.color;
  return settings;
}

/** Whether the launcher waits for the deferred script: that applies `launcher`, `launcherText`, `whenClosed` and so on. */
export const isDeferred = (settings: Settings): boolean => /launcher|when/.test(Object.keys(settings).join());

/** The settings for the frame. The page's query and hash are left out: they can hold secrets. */
export const frameSettings = (settings: Settings): FrameSettings => ({
  ...settings,
  page_url: location.origin + location.pathname,
  origin: location.origin,
});

export const language = (settings: Settings): string => settings.locale ?? safeDocument.documentElement.lang;

/** The frame's URL. Settings are in the fragment, which no server sees. */
export const frameUrl = (bff: string, settings: Settings): string =>
  `${bff}/frame?isolated=${self.crossOriginIsolated}&lang=` +
  [language(settings), JSON.stringify(frameSettings(settings))].map(encodeURIComponent).join('#');
