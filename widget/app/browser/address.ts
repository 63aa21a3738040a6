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

function inHash(name: 'handoff' | 'ticket'): string | undefined {
  const [, key, value] = /^#(\w+)=(.+)$/.exec(location.hash) ?? [];
  return key === name ? value : undefined;
}

/** The secret of another device's link, if this page was opened by one. Removes it from the address. */
export function takeSecret(): string | undefined {
  const secret = inHash('handoff');
  if (secret) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}

/**
 * The ticket that this page's address names. Links in mails have `?ticket=`, since services that check links drop what
 * comes after `#`. It stays in the address: a phone may load the page again after a look at the mail with the code.
 */
export const linkedTicket = (): string | null | undefined =>
  new URLSearchParams(location.search).get('ticket') || inHash('ticket');
