import type { JoinTabs } from './state/live.ts';

const name = 'deskside-live';

/** Null where tabs cannot speak to each other, or cannot agree on one of them. */
function openChannel(): BroadcastChannel | null {
  try {
    return navigator.locks && new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/**
 * The tabs of this browser on this site: a Web Lock says which of them leads. Where that, or their channel, is missing
 * or denied, each leads itself.
 */
export const joinTabs: JoinTabs = ({ onWord, onLead, onLost }, isAlone) => {
  const channel = isAlone ? null : openChannel();
  if (!channel) return { say() {}, ask: onLead, leave() {} };
  let request = new AbortController();
  let release = () => {};
  channel.addEventListener('message', ({ data }) => onWord(data));

  function ask(isUrgent: boolean) {
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
      ask(false);
      onLost();
    });
  }

  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other
    say: (word) => channel.postMessage(word),
    ask,
    leave() {
      request.abort();
      release();
      channel.close();
    },
  };
};
