import type { FrameSettings } from '../../bridge/messages.ts';

/** The app is a page of its own, not in a frame of a host page. */
export const isOnFullPage = window.parent === window;

/** The settings in the frame's address, unchecked. SECURITY: none on the full page, where anybody can make the link. */
export function readHash(): Partial<FrameSettings> {
  try {
    return isOnFullPage ? {} : (Object(JSON.parse(decodeURIComponent(location.hash.slice(1)))) as object);
  } catch {
    return {};
  }
}

/** The secret of another device's link, if this page was opened by one. Also removes it from the address. */
export function takeHandoffSecret(): string | undefined {
  const secret = /^#handoff=(.+)/.exec(location.hash)?.[1];
  if (secret) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}
