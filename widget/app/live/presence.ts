import type { Clock } from '../browser/clock.ts';
import { action, signal } from '@preact/signals';

const awayAfterMs = 60_000;
/**
 * A page that has been hidden for long disconnects. It reconnects for `lookMs` now and then, so that it can still notify of
 * a new answer. The pauses between begin with `firstPauseMs` and double up to `longestPauseMs`.
 */
const lookMs = 20_000;
const firstPauseMs = 180_000;
const longestPauseMs = 3_600_000;

interface PresenceOptions {
  clock: Clock;
  /** The page was hidden or left; it may never come back. */
  onHide: () => void;
  /** The customer or the network is back. */
  onReturn: () => void;
}

/** Whether the page is visible, and whether there is a network. */
export function createPresence({ clock, onHide, onReturn }: PresenceOptions) {
  const isVisible = signal(true);
  const isOnline = signal(true);
  /** Whether the page has been hidden long enough to close the connection. It is then opened only for short times. */
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
    /** The page is left; it may be restored from the back/forward cache. */
    leave() {
      onHide();
      cancel();
      isAway.value = true;
    },
    setOnline: action((online: boolean) => {
      isOnline.value = online;
      if (online) onReturn();
    }),
    setVisible: action((visible: boolean) => {
      isVisible.value = visible;
      cancel();
      if (visible) {
        isAway.value = false;
        onReturn();
      } else {
        onHide();
        cancel = clock.after(awayAfterMs, () => goAway(firstPauseMs));
      }
    }),
  };
}

/** Since when the screen may be out of date. */
export function createStale(clock: Clock) {
  /** ISO 8601 UTC; null while the screen is up to date, or when it never was. */
  const since = signal<string | null>(null);
  let wasCurrent = false;

  return {
    since,
    /** `isCurrent`: whether the screen is up to date now. */
    update(isCurrent: boolean) {
      if (isCurrent) since.value = null;
      else if (wasCurrent) since.value = new Date(clock.now()).toISOString();
      wasCurrent = isCurrent;
    },
  };
}
