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

/**
 * The part of the address after `#handoff=` (the secret of another device's link) or `#ticket=` (a ticket's id, as
 * mails have it), if this page was opened by such a link. Also removes it from the address.
 */
export function takeLinked(name: 'handoff' | 'ticket'): string | undefined {
  const [, found, value] = /^#(handoff|ticket)=(.+)$/.exec(location.hash) ?? [];
  if (found !== name) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  try {
    return decodeURIComponent(value!);
  } catch {
    return undefined;
  }
}
