import { ownGlobal, safeDocument } from './dom.ts';

const KEY = 'deskside:used';

/** `1`: this browser has a conversation here. `logout`: the customer has signed out, but their session is not ended yet. */
type Use = '1' | 'logout';

/** Null where storage is denied: nothing is remembered, and the badge shows only after the first hover. */
function inStorage<Result>(act: (storage: Storage) => Result): Result | null {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

export const readUse = () => inStorage((storage) => storage[KEY]);
/** Remembers, without identifying anyone, what this browser has here. */
export const rememberUse = (use: Use) => inStorage((storage) => (storage[KEY] = use));
export const forgetUse = () => inStorage((storage) => delete storage[KEY]);

/** Calls back in an idle moment after the page has loaded. */
export function whenIdle(run: () => void, signal: AbortSignal): void {
  const wait = () => (ownGlobal('requestIdleCallback') ?? setTimeout)(() => signal.aborted || run());
  if (safeDocument.readyState === 'complete') wait();
  else addEventListener('load', wait, { signal });
}
