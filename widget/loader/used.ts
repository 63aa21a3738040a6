const KEY = 'deskside:used';

/** `1`: this browser has a conversation here. `logout`: the site's customer has left, the session has yet to end. */
type Use = '1' | 'logout';

export function readUse(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is denied: the badge then waits for the first hover.
    return null;
  }
}

/** Remembers, without identifying anyone, what this browser has here; null forgets it. */
export function rememberUse(use: Use | null): void {
  try {
    if (use) localStorage.setItem(KEY, use);
    else localStorage.removeItem(KEY);
  } catch {
    // Storage is denied.
  }
}

/** Calls back in an idle moment after the page has loaded. */
export function whenIdle(run: () => void, signal: AbortSignal): void {
  const wait = () => (window.requestIdleCallback ?? setTimeout)(() => signal.aborted || run());
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { signal });
}
