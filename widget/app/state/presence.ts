import type { Clock } from './clock.ts';
import { signal } from './signal.ts';

const awayAfterMs = 60_000;
/** Who is away still wants to hear of an answer: by looks, ever more rarely, each as long as a fresh read takes. */
const lookMs = 20_000;
const firstPauseMs = 180_000;
const longestPauseMs = 3_600_000;

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
  /** Hidden for so long that the connection is given back, but for a look now and then. */
  const isAway = signal(false);
  let cancel = () => {};

  function goAway(pauseMs: number) {
    isAway.value = true;
    cancel = clock.after(pauseMs, () => {
      isAway.value = false;
      cancel = clock.after(lookMs, () => goAway(Math.min(pauseMs * 2, longestPauseMs)));
    });
  }

  return {
    isVisible,
    isOnline,
    isAway,
    /** The page goes, for good or until the customer comes back to it. */
    leave() {
      onHide();
      cancel();
      isAway.value = true;
    },
    setOnline(online: boolean) {
      isOnline.value = online;
      if (online) onReturn();
    },
    setVisible(visible: boolean) {
      isVisible.value = visible;
      cancel();
      if (visible) {
        isAway.value = false;
        onReturn();
      } else {
        onHide();
        cancel = clock.after(awayAfterMs, () => goAway(firstPauseMs));
      }
    },
  };
}
