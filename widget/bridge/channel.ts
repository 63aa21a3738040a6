interface Peer<In> {
  /** The only window whose messages are accepted; called at each message, since a frame may be replaced. */
  source: () => Window | null | undefined;
  /** The only origin that messages are accepted from and sent to. */
  origin: string;
  /** The message of a value; null if it is none. */
  read: (value: unknown) => In | null;
}

/**
 * Two-way channel to one window of one origin. All other messages are ignored.
 * `post` drops its message while the peer's window does not exist.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each side names what it may post
export function openChannel<In, Out>(
  peer: Peer<In>,
  onMessage: (message: In) => void,
  signal: AbortSignal,
): { post: (message: Out) => void } {
  const listener = (event: MessageEvent<unknown>) => {
    // SECURITY: both checks are needed: a sibling frame can share the origin, a navigated frame the window.
    if (event.source === null || event.source !== peer.source() || event.origin !== peer.origin) return;
    const message = peer.read(event.data);
    if (message) onMessage(message);
  };
  addEventListener('message', listener, { signal });
  return { post: (message) => peer.source()?.postMessage(message, peer.origin) };
}
