import type { Store } from './storage.ts';
import type { Support } from './state/support.ts';
import type { Lock } from './state/outbox.ts';

/** A tab that holds on for longer may be frozen; it may also have much to send, or a proof to work out first. */
const lockWaitMs = 30_000;

/**
 * One holder at a time across the tabs of this browser. Where Web Locks are missing, or denied together with storage,
 * or held for too long, two may send at once: the server's keys make one send of that.
 */
export const tabLock: Lock = async (run) => {
  let isHeld = false;
  try {
    await navigator.locks.request('deskside-outbox', { signal: AbortSignal.timeout(lockWaitMs) }, () => {
      isHeld = true;
      return run();
    });
  } catch (error) {
    if (isHeld) throw error;
    await run();
  }
};

/** A random UUID; the browser's own `randomUUID` is missing on plain HTTP. */
export const newUuid = () =>
  'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () =>
    (crypto.getRandomValues(new Uint8Array(1))[0]! % 16).toString(16),
  );

/** Tells the app what happens to its page. */
export function watchPage({ setOnline, setVisible, onOtherTab, leave, live }: Support, storage: Store) {
  const look = () => setVisible(document.visibilityState === 'visible');
  addEventListener('online', () => setOnline(true));
  addEventListener('offline', () => setOnline(false));
  addEventListener('focus', live.lead);
  const { style } = document.documentElement;
  addEventListener('pagehide', () => {
    leave();
    // SECURITY: a page in the back/forward cache comes back as it was, perhaps to somebody else.
    style.visibility = 'hidden';
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) {
      // What other tabs stored meanwhile was not heard.
      onOtherTab();
      look();
    }
    style.visibility = '';
  });
  document.addEventListener('visibilitychange', look);
  storage.watch(onOtherTab);
  if (!navigator.onLine) setOnline(false);
  look();
}

/** The secret of another device's link, if this page was opened by one; nobody can read it off the address any more. */
export function takeHandoffSecret(): string | undefined {
  const secret = /^#handoff=(.+)/.exec(location.hash)?.[1];
  if (secret) history.replaceState(null, '', location.pathname + location.search);
  return secret;
}
