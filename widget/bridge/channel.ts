/** A message that nobody has checked. */
export interface UncheckedMessage {
  type?: unknown;
}

/**
 * Two-way channel to one window of one origin. All other messages are ignored.
 * @param source the only window whose messages are accepted; called at each message, since a frame may be replaced
 * @param origin the only origin that messages are accepted from and sent to
 * @returns posts a message; drops it while that window does not exist
 */
export function openChannel(
  source: () => Window | null | undefined,
  origin: string,
  onMessage: (message: UncheckedMessage) => void,
  signal: AbortSignal,
): (message: unknown) => void {
  addEventListener(
    'message',
    (event) => {
      // SECURITY: both checks are needed: a sibling frame can share the origin, a navigated frame the window.
      if (event.data && event.source && event.source === source() && event.origin === origin)
        onMessage(event.data as UncheckedMessage);
    },
    { signal },
  );
  return (message) => source()?.postMessage(message, origin);
}
