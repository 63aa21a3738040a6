const KEY = 'deskside:used';

/** Remembers, without identifying anyone, that this browser has a conversation here. */
export function rememberUse(isUsed: boolean): void {
  try {
    if (isUsed) localStorage.setItem(KEY, '1');
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is denied: the badge then waits for the first hover.
  }
}

/** Calls back in an idle moment after the page has loaded, if this browser has a conversation here. */
export function wakeIfUsed(wake: () => void, signal: AbortSignal): void {
  const whenIdle = () => (window.requestIdleCallback ?? setTimeout)(() => signal.aborted || wake());
  try {
    if (!localStorage.getItem(KEY)) return;
    if (document.readyState === 'complete') whenIdle();
    else addEventListener('load', whenIdle, { signal });
  } catch {
    // Storage is denied.
  }
}
