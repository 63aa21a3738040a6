/** A message that nobody has checked. */
export interface UncheckedMessage {
  type?: unknown;
}

/**
 * Two-way channel to one window of one origin. All other messages are ignored.
 * @param source the only window whose messages are accepted; called at each message, since a frame may be replaced
 * @param url messages are accepted from and sent to its origin only; as the browser writes it
 * @returns posts a message; drops it while that window does not exist
 */
export function openChannel(
  source: () => Window | null | undefined,
  url: string,
  onMessage: (message: UncheckedMessage) => void,
  signal: AbortSignal,
): (message: unknown) => void {
  addEventListener(
    'message',
    (event) => {
      // SECURITY: both checks are needed: a sibling frame can share the origin, a navigated frame the window.
      const isTheirs = event.source && event.source === source() && `${url}/`.startsWith(`${event.origin}/`);
      if (event.data && isTheirs) onMessage(event.data as UncheckedMessage);
    },
    { signal },
  );
  return (message) => source()?.postMessage(message, url);
}
