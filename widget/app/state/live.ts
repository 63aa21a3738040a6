import type { Api } from '../api/client.ts';
import { isServerEvent, type ServerEvent } from '../api/shapes.ts';
import type { Clock } from './clock.ts';
import type { LiveStatus, StreamStart } from './connection.ts';
import { createConnection, liveStatuses } from './connection.ts';
import { computed, signal } from './signal.ts';

/** What the tab that leads tells the others: how it hears, and what it has just heard. */
interface News {
  /** One tab's time as the leader, from its first event on. */
  term: number;
  /** The conversation whose messages it hears. */
  thread: string | null;
  status: LiveStatus;
  event: ServerEvent | null;
}

/** `ask` for the state of things, or for a tab on screen to take the lead from one that is not. */
export type TabWord = News | { ask: 'state' | 'lead' };

interface TabEvents {
  /** SECURITY: as it came; whoever hears it checks its shape. */
  onWord: (word: unknown) => void;
  onLead: () => void;
  /** Another tab has taken the lead; this one waits to get it back. */
  onLost: () => void;
}

/** This tab among all that the customer has open here, of which one at a time leads. */
export interface Tabs {
  /** To all others. */
  say: (word: TabWord) => void;
  /** `isUrgent`: at once, whoever leads; else as soon as nobody does. */
  ask: (isUrgent: boolean) => void;
  leave: () => void;
}

/** `isAlone`: this tab's session is its own, so it shares nothing. */
export type JoinTabs = (events: TabEvents, isAlone: boolean) => Tabs;

interface LiveOptions {
  api: Pick<Api, 'events' | 'isAlone'>;
  clock: Clock;
  join: JoinTabs;
  /** `since` is what `begin` told of the stream; undefined for what another tab has heard. */
  onEvent: (event: ServerEvent, since?: number) => void;
  /** What a stream begins with that follows this conversation. */
  begin: (thread: string | null) => StreamStart;
  /** All that is known here, in the shape of a stream's first event; null while that is too little. */
  snapshot: () => ServerEvent | null;
  /** Reads by plain requests what the stream would have brought; false when that fails too. */
  poll: () => Promise<boolean>;
  onUnauthenticated: () => void;
}

/** Of `term` and `thread` nothing comes but that they are the same as others, or not. */
const isNews = (value: unknown): value is News => {
  const { status, event } = Object(value) as Partial<News>;
  return liveStatuses.includes(status!) && (event === null || isServerEvent(event));
};

/**
 * What happens at the BFF, as it happens. The tab that the customer has turned to last holds the stream and tells the
 * others; each new leader's stream begins with all there is, so that nothing is lost between two.
 */
export function createLive(options: LiveOptions) {
  const { api, join, onEvent, snapshot } = options;
  const status = signal<LiveStatus>('off');
  let tabs: Tabs | null = null;
  let isLeading = false;
  let isVisible = false;
  let thread: string | null = null;
  /** This tab's own while it leads, else that of the leader whose word counts here. */
  let term = 0;

  const tell = (event: ServerEvent | null) => tabs?.say({ term, thread, status: status.peek(), event });

  async function poll() {
    const isRead = await options.poll();
    if (isRead && isLeading) tell(snapshot());
    return isRead;
  }

  const connection = createConnection({
    ...options,
    poll,
    onEvent(event, since) {
      tell(event);
      onEvent(event, since);
    },
    onStatus(now) {
      if (status.peek() === now) return;
      status.value = now;
      if (isLeading) tell(null);
    },
    onUnauthenticated() {
      stop();
      options.onUnauthenticated();
    },
  });

  function onLead() {
    isLeading = true;
    term = Math.random();
    status.value = 'off';
    connection.connect(thread);
    if (!isVisible) tabs?.say({ ask: 'lead' });
  }

  function giveUp() {
    isLeading = false;
    connection.stop();
  }

  function onLost() {
    giveUp();
    // A tab that was frozen while it led has missed what the next leader began with.
    tabs?.say({ ask: 'state' });
  }

  function onNews({ event, ...news }: News) {
    status.value = news.status;
    if (event?.name === 'sync') term = news.term;
    // SECURITY: not from a leader whose session may have been another's: its first event tells whose it is.
    if (!event || news.term !== term) return;
    onEvent(event);
    const isElsewhere = thread !== null && thread !== news.thread;
    const isConcerned = event.name === 'sync' || (event.name === 'ticket' && event.data.id === thread);
    // Two windows show two conversations: of this one the leader hears only that it has changed.
    if (isVisible && isElsewhere && isConcerned) void poll();
  }

  function onWord(word: unknown) {
    const { ask } = Object(word) as { ask?: unknown };
    if (isLeading) {
      const isCurrent = status.peek() === 'stream' || status.peek() === 'polling';
      if (ask === 'state') tell(isCurrent ? snapshot() : null);
    } else if (ask === 'lead') {
      if (isVisible) tabs?.ask(true);
    } else if (isNews(word)) onNews(word);
  }

  function stop() {
    giveUp();
    tabs?.leave();
    tabs = null;
    term = 0;
  }

  return {
    status,
    /** The screen may be out of date. */
    isLate: computed(() => status.value === 'late'),
    isLeading: () => isLeading,
    /**
     * Follows the customer's tickets, and the messages of `thread` closely; `isSeen`: the customer has this tab before
     * them.
     */
    connect(nextThread: string | null, isSeen: boolean) {
      const hasTurnedHere = isSeen && (!isVisible || nextThread !== thread);
      const hasLeft = isVisible && !isSeen;
      thread = nextThread;
      isVisible = isSeen;
      if (!tabs) {
        tabs = join({ onWord, onLead, onLost }, api.isAlone());
        tabs.ask(isSeen);
        if (!isSeen) tabs.say({ ask: 'state' });
      } else if (isLeading) {
        connection.connect(thread);
        if (hasLeft) tabs.say({ ask: 'lead' });
      } else if (hasTurnedHere) tabs.ask(true);
    },
    /** The customer turns to this tab. */
    lead() {
      if (!isLeading) tabs?.ask(true);
    },
    stop,
    wake: connection.wake,
  };
}

export type LiveModel = ReturnType<typeof createLive>;
