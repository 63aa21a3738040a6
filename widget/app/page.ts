import type { Store } from './storage.ts';
import type { Support } from './state/support.ts';
import type { Lock } from './state/outbox.ts';

/** One holder at a time across the tabs of this browser; browsers without Web Locks rely on the server's keys. */
export const tabLock: Lock = async (run) => {
  if ('locks' in navigator) await navigator.locks.request('deskside-outbox', run);
  else await run();
};

/** Tells the app what happens to its page. */
export function watchPage({ setOnline, setVisible, onOtherTab, drafts }: Support, storage: Store) {
  const look = () => setVisible(document.visibilityState === 'visible');
  addEventListener('online', () => setOnline(true));
  addEventListener('offline', () => setOnline(false));
  addEventListener('pagehide', () => drafts.flush());
  document.addEventListener('visibilitychange', look);
  storage.watch(onOtherTab);
  if (!navigator.onLine) setOnline(false);
  look();
}
