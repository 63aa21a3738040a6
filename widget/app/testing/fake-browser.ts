import type { JoinTabs } from '../live/live.ts';
import { leadAlone } from './fakes.ts';

/** A browser with a channel between its tabs, one of which is the leader. Messages arrive in a microtask. */
export function fakeBrowser() {
  interface Tab {
    events: Parameters<JoinTabs>[0];
    isWaiting: boolean;
  }
  const tabs = new Set<Tab>();
  let leader: Tab | null = null;

  function give(tab: Tab | undefined) {
    leader = tab ?? null;
    if (!tab) return;
    tab.isWaiting = false;
    tab.events.onLead();
  }

  const join: JoinTabs = (events, isAlone) => {
    if (isAlone) return leadAlone(events, true);
    const tab: Tab = { events, isWaiting: false };
    tabs.add(tab);
    return {
      broadcast(message) {
        const others = [...tabs].filter((other) => other !== tab);
        void Promise.resolve().then(() => {
          for (const other of others) if (tabs.has(other)) other.events.onMessage(structuredClone(message));
        });
      },
      requestLead(isUrgent) {
        tab.isWaiting = true;
        const last = leader;
        if (last && !isUrgent) return;
        give(tab);
        if (!last) return;
        last.isWaiting = true;
        last.events.onLost();
      },
      leave() {
        tabs.delete(tab);
        if (leader === tab) give([...tabs].find(({ isWaiting }) => isWaiting));
      },
    };
  };
  return { join };
}
