import type { Clock } from './clock.ts';
import { signal } from './signal.ts';

const awayAfterMs = 60_000;

interface PresenceOptions {
  clock: Clock;
  /** The customer looks elsewhere, perhaps for good. */
  onHide: () => void;
  /** The customer or the network is back. */
  onReturn: () => void;
}

/** Whether the customer has this page before them, and whether anything can reach it. */
export function createPresence({ clock, onHide, onReturn }: PresenceOptions) {
  const isVisible = signal(true);
  const isOnline = signal(true);
  /** Hidden for so long that the connection is given back. */
  const isAway = signal(false);
  let cancelAway = () => {};

  return {
    isVisible,
    isOnline,
    isAway,
    /** The page goes, for good or until the customer comes back to it. */
    leave() {
      onHide();
      isAway.value = true;
    },
    setOnline(online: boolean) {
      isOnline.value = online;
      if (online) onReturn();
    },
    setVisible(visible: boolean) {
      isVisible.value = visible;
      cancelAway();
      if (visible) {
        isAway.value = false;
        onReturn();
      } else {
        onHide();
        cancelAway = clock.after(awayAfterMs, () => {
          isAway.value = true;
        });
      }
    },
  };
}
