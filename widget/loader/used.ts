import { attempt } from '../bridge/fields.ts';
import { ownGlobal, safeDocument } from './dom.ts';

/** In `localStorage`: how the widget was used here. In `sessionStorage`: that the panel is open. */
const KEY = 'deskside:used';

/**
 * `1`: this browser has a conversation here. `logout`: the customer has signed out, but their session is not ended yet.
 * Empty: neither, but the widget was opened.
 */
type Use = '' | '1' | 'logout';

// Where storage is denied nothing is remembered, and the badge shows only after the first hover.
export const readUse = () => attempt((): Use | undefined => localStorage[KEY]);
/** Remembers, without identifying anyone, what this browser has here. */
export const rememberUse = (use: Use) => attempt(() => (localStorage[KEY] = use));
/**
 * Whether the panel was open when the last page of this visit was left. For most visitors, who never opened it, only one
 * storage is read: the first read of each makes the page wait.
 */
export const wasOpen = () => attempt(() => readUse() != null && sessionStorage[KEY]);
export function rememberOpen(isOpen: boolean): void {
  if (isOpen) rememberUse(readUse() ?? '');
  attempt(() => (isOpen ? (sessionStorage[KEY] = 1) : delete sessionStorage[KEY]));
}

/** Calls back in an idle moment after the page has loaded. */
export function whenIdle(run: () => void, signal: AbortSignal): void {
  const wait = () => (ownGlobal('requestIdleCallback') ?? setTimeout)(() => signal.aborted || run());
  if (safeDocument.readyState === 'complete') wait();
  else addEventListener('load', wait, { signal });
}
