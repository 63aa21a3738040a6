import type { Models } from './models.ts';

/** Reports to the models when the page is shown, hidden, left or restored, and changes of the network and of storage. */
export function watchPage({ setOnline, setVisible, onOtherTab, leave, live, storage }: Models) {
  const reportVisibility = () => setVisible(document.visibilityState === 'visible');
  addEventListener('online', () => setOnline(true));
  addEventListener('offline', () => setOnline(false));
  addEventListener('focus', live.lead);
  const { style } = document.documentElement;
  addEventListener('pagehide', () => {
    leave();
    // SECURITY: a page in the back/forward cache may be restored for another customer.
    style.visibility = 'hidden';
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) {
      // A cached page gets no storage events.
      onOtherTab();
      reportVisibility();
    }
    style.visibility = '';
  });
  document.addEventListener('visibilitychange', reportVisibility);
  storage.watch(onOtherTab);
  if (!navigator.onLine) setOnline(false);
  reportVisibility();
}
