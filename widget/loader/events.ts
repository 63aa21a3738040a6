import type { EventName, Events } from './api.ts';
import { safeDocument } from './dom.ts';

/** Dispatches a DOM event on `document`: a handler that throws then affects neither the widget nor other handlers. */
export function emit<Name extends EventName>(name: Name, detail?: Events[Name]): void {
  safeDocument.dispatchEvent(new CustomEvent(`deskside:${name}`, { detail }));
}

/** Returns the unsubscribe function. */
export function listen<Name extends EventName>(
  name: Name,
  handler: (detail: Events[Name]) => void,
  signal: AbortSignal,
): () => void {
  const type = `deskside:${name}`;
  const listener = (event: Event) =>
    // oxlint-disable-next-line no-useless-call -- a page may give something else than a function, which has no `call`
    handler?.call?.(null, (event as CustomEvent<Events[Name]>).detail);
  safeDocument.addEventListener(type, listener, { signal });
  return () => safeDocument.removeEventListener(type, listener);
}
