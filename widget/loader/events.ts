export type EventName =
  'ready' | 'open' | 'close' | 'ticket-created' | 'message-sent' | 'message-received' | 'unread' | 'error';

/** Events are DOM events on `document`, so a handler that throws harms neither the widget nor its neighbours. */
export function emit(name: EventName, detail?: unknown): void {
  document.dispatchEvent(new CustomEvent(`deskside:${name}`, { detail }));
}

/** Returns the unsubscribe function. */
export function listen(name: EventName, handler: (detail: unknown) => void, signal: AbortSignal): () => void {
  const type = `deskside:${name}`;
  const listener = (event: Event) => handler((event as CustomEvent).detail);
  document.addEventListener(type, listener, { signal });
  return () => document.removeEventListener(type, listener);
}
