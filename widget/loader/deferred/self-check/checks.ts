import type { Diagnosis } from '../../../bridge/messages.ts';
import type { Check } from '../../api.ts';
import { safeDocument } from '../../dom.ts';

const check = (name: string, ok: boolean | null, hint: string): Check => ({ name, ok, hint: ok ? '' : hint });

/** Whether the BFF answers at all, with any status. */
export async function reaches(bff: string): Promise<boolean> {
  try {
    await fetch(`${bff}/widget.js`, { mode: 'no-cors', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}

export function tag(bff: string): Check {
  const tags = [...safeDocument.scripts].filter(
    ({ src }) => src.startsWith(bff) && /\/widget(-[^/]+)?\.js$/.test(src),
  );
  return check(
    'One tag',
    tags.length < 2,
    `The tag stands ${tags.length} times on this page. Keep the first.`,
  );
}

export function styles(launcher: Element): Check {
  const isStyled = getComputedStyle(launcher).position === 'fixed';
  return check('Styles', isStyled, 'They do not apply. Does a script replace adoptedStyleSheets?');
}

export const launchers = (selector: string | undefined, found: Element[]): Check =>
  check(
    'Launchers',
    !selector || found.length > 0,
    `“${selector}” is no CSS selector, or matches nothing on this page.`,
  );

export function policy(blocked: readonly SecurityPolicyViolationEvent[]): Check {
  const what = blocked.map(
    ({ effectiveDirective, blockedURI }) => `${effectiveDirective} blocks ${blockedURI}`,
  );
  return check(
    'Content security policy',
    !what.length,
    `${[...new Set(what)].join('; ')}. Add the address to that directive.`,
  );
}

/** `isReachable` is null when the page's policy blocked the request. */
export const reachable = (isReachable: boolean | null, bff: string): Check =>
  check(
    'Server',
    isReachable,
    isReachable === null ? 'This check was kept from asking.' : `${bff} does not answer.`,
  );

/**
 * The page's Cross-Origin-Embedder-Policy, empty if it has none; null if that cannot be found out. Scripts cannot see it,
 * so the page's headers are asked for again.
 */
export async function embedderPolicy(): Promise<string | null> {
  try {
    const { headers } = await fetch(location.href, { method: 'HEAD' });
    const sent = headers.get('Cross-Origin-Embedder-Policy') ?? '';
    return /^(require-corp|credentialless)\b/.test(sent) ? sent : '';
  } catch {
    return null;
  }
}

export const embedder = (sent: string | null, isReady: boolean, bff: string): Check =>
  check(
    'Embedder policy',
    isReady || (sent === null ? null : sent === ''),
    sent === null
      ? 'The headers of this page cannot be read.'
      : `This page sends “Cross-Origin-Embedder-Policy: ${sent}”, which blocks the frame unless ${bff}/frame is answered with Cross-Origin-Embedder-Policy and Cross-Origin-Resource-Policy. The server sends both. Does a proxy remove them?`,
  );

export function frame(
  isReady: boolean,
  isReachable: boolean | null,
  blocked: readonly SecurityPolicyViolationEvent[],
  embedderSent: string | null,
): Check {
  const isListed = `Is ${location.origin} in ALLOWED_ORIGINS?`;
  const why = blocked.length
    ? 'The content security policy blocks it: see above.'
    : isReachable === false
      ? 'The server does not answer.'
      : self.origin === 'null'
        ? 'The page is in a sandbox without allow-same-origin, so ALLOWED_ORIGINS cannot name it.'
        : embedderSent
          ? `See the embedder policy above. ${isListed}`
          : isListed;
  return check('Frame', isReady, why);
}

/** `frameVersion`: null without a frame, undefined from a frame that does not send its version. */
export function version(frameVersion: string | null | undefined): Check {
  if (frameVersion === null) return check('Version', null, 'The frame did not come.');
  return check(
    'Version',
    frameVersion === undefined ? null : frameVersion === __DESKSIDE_VERSION__,
    `The script is ${__DESKSIDE_VERSION__}, the frame ${frameVersion ?? 'unknown'}. Is one cached, or the tag pinned?`,
  );
}

export function hostStorage(): Check {
  let isKept = true;
  try {
    localStorage.getItem('deskside:used');
  } catch {
    isKept = false;
  }
  return check('Storage of the page', isKept, 'Denied: unread messages show only after a press.');
}

export const frameStorage = (diagnosis: Diagnosis | undefined): Check =>
  check(
    'Storage of the frame',
    diagnosis?.storage ?? null,
    diagnosis ? 'Denied: neither session nor drafts outlive the page.' : 'The frame did not come.',
  );

export function cookies(bff: string): Check {
  const { hostname } = new URL(bff);
  const isOwn =
    `.${location.hostname}`.endsWith(`.${hostname}`) || `.${hostname}`.endsWith(`.${location.hostname}`);
  return check(
    'Cookies',
    isOwn || null,
    `Is ${hostname} another site? Some browsers then keep the session for one tab only; a subdomain of this site avoids that.`,
  );
}

export const api = (diagnosis: Diagnosis | undefined): Check =>
  check(
    'Questions to the server',
    diagnosis ? diagnosis.api === 'ok' : null,
    `The server said: ${diagnosis?.api ?? 'nothing yet'}.`,
  );

export function live(diagnosis: Diagnosis | undefined): Check {
  const isLive = diagnosis && diagnosis.live !== 'off' ? diagnosis.live === 'stream' : null;
  return check(
    'Answers at once',
    isLive,
    isLive === null
      ? 'Cannot be said before there is a conversation.'
      : 'Something on the way holds back streams.',
  );
}
