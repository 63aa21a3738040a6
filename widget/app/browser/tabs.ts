import { folder } from './storage.ts';
import type { JoinTabs } from '../live/live.ts';

const name = `deskside${folder}-live`;

/** Null where `BroadcastChannel` or Web Locks are missing or denied. */
function openChannel(): BroadcastChannel | null {
  try {
    return navigator.locks && new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/**
 * The tabs of this browser on this site. The tab that has the Web Lock is the leader. Where the lock or the channel is
 * missing or denied, each tab is its own leader.
 */
export const joinTabs: JoinTabs = ({ onMessage, onLead, onLost }, isAlone) => {
  const channel = isAlone ? null : openChannel();
  if (!channel) return { broadcast() {}, requestLead: onLead, leave() {} };
  let request = new AbortController();
  let release = () => {};
  channel.addEventListener('message', ({ data }) => onMessage(data));

  function requestLead(isUrgent: boolean) {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    let isHeld = false;
    const hold = () =>
      new Promise<void>((resolve) => {
        if (signal.aborted) return resolve();
        isHeld = true;
        release = resolve;
        onLead();
      });
    navigator.locks.request(name, isUrgent ? { steal: true } : { signal }, hold).catch(() => {
      if (signal.aborted) return;
      if (!isHeld) return onLead();
      requestLead(false);
      onLost();
    });
  }

  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a BroadcastChannel has one origin only
    broadcast: (message) => channel.postMessage(message),
    requestLead,
    leave() {
      request.abort();
      release();
      channel.close();
    },
  };
};
