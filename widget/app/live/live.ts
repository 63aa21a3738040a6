import type { Api } from '../api/client.ts';
import { isServerEvent, type ServerEvent } from '../api/shapes.ts';
import { type ConnectionOptions, createConnection, type LiveStatus, liveStatuses } from './connection.ts';
import { action, computed, signal } from '@preact/signals';

/** Sent by the leader tab to the others: its connection status, and the event that it has just received, if any. */
interface LeaderUpdate {
  /** Random; a new one each time that a tab becomes the leader. */
  term: number;
  /** The conversation whose messages its stream brings. */
  thread: string | null;
  status: LiveStatus;
  event: ServerEvent | null;
}

/** `ask: 'state'`: request for the leader's state. `ask: 'lead'`: a visible tab should become the leader. */
export type TabMessage = LeaderUpdate | { ask: 'state' | 'lead' };

interface TabEvents {
  /** SECURITY: unchecked; the receiver checks the shape. */
  onMessage: (message: unknown) => void;
  onLead: () => void;
  /** Another tab has become the leader; this one waits to become it again. */
  onLost: () => void;
}

/** The connection of this tab with the customer's other tabs. One tab at a time is the leader. */
interface Tabs {
  /** Sends a message to all other tabs. */
  broadcast: (message: TabMessage) => void;
  /** Makes this tab the leader: at once if `isUrgent`, else when there is no other. */
  requestLead: (isUrgent: boolean) => void;
  leave: () => void;
}

/** `isAlone`: this tab has a session of its own, so it does not share events with others. */
export type JoinTabs = (events: TabEvents, isAlone: boolean) => Tabs;

/** `since` of an event is that of `begin`; undefined for events from another tab. */
interface LiveOptions extends Omit<ConnectionOptions, 'api' | 'onStatus'> {
  api: Pick<Api, 'events' | 'isAlone'>;
  join: JoinTabs;
  /** The known state as a `sync` event; null while it is incomplete. */
  snapshot: () => ServerEvent | null;
}

/** `term` and `thread` are not checked: they are only compared for equality. */
const isLeaderUpdate = (value: unknown): value is LeaderUpdate => {
  const { status, event } = Object(value) as Partial<LeaderUpdate>;
  return liveStatuses.includes(status!) && (event === null || isServerEvent(event));
};

/**
 * Live updates from the BFF. One tab of the browser is the leader: usually the one that the customer used last. It has the
 * event stream and broadcasts its events to the others. Each leader's stream begins with the full state (`sync`), so no
 * event is lost when the leader changes.
 */
export function createLive(options: LiveOptions) {
  const { api, join, onEvent, snapshot } = options;
  const status = signal<LiveStatus>('off');
  let tabs: Tabs | null = null;
  let isLeading = false;
  let isVisible = false;
  let thread: string | null = null;
  /** This tab's own while it is the leader, else that of the leader whose `sync` was applied last. */
  let term = 0;

  const broadcastUpdate = (event: ServerEvent | null) =>
    tabs?.broadcast({ term, thread, status: status.peek(), event });

  async function poll() {
    const isRead = await options.poll();
    if (isRead && isLeading) broadcastUpdate(snapshot());
    return isRead;
  }

  const connection = createConnection({
    ...options,
    poll,
    onEvent(event, since) {
      broadcastUpdate(event);
      onEvent(event, since);
    },
    onStatus(now) {
      if (status.peek() === now) return;
      status.value = now;
      if (isLeading) broadcastUpdate(null);
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
    if (!isVisible) tabs?.broadcast({ ask: 'lead' });
  }

  function giveUp() {
    isLeading = false;
    connection.stop();
  }

  function onLost() {
    giveUp();
    // If this tab was frozen, it has missed the `sync` of the next leader.
    tabs?.broadcast({ ask: 'state' });
  }

  function onLeaderUpdate({ event, ...leader }: LeaderUpdate) {
    status.value = leader.status;
    if (event?.name === 'sync') term = leader.term;
    // SECURITY: other events only after the leader's `sync`, which says whose session it has.
    if (!event || leader.term !== term) return;
    onEvent(event);
    const isElsewhere = thread !== null && thread !== leader.thread;
    const isConcerned = event.name === 'sync' || (event.name === 'ticket' && event.data.id === thread);
    // The leader follows another conversation: it learns that this one has changed, but not its messages.
    if (isVisible && isElsewhere && isConcerned) void poll();
  }

  const onMessage = action((message: unknown) => {
    const { ask } = Object(message) as { ask?: unknown };
    if (isLeading) {
      const isCurrent = status.peek() === 'stream' || status.peek() === 'polling';
      if (ask === 'state') broadcastUpdate(isCurrent ? snapshot() : null);
    } else if (ask === 'lead') {
      if (isVisible) tabs?.requestLead(true);
    } else if (isLeaderUpdate(message)) onLeaderUpdate(message);
  });

  function stop() {
    giveUp();
    tabs?.leave();
    tabs = null;
    term = 0;
  }

  return {
    status,
    /** Whether the screen may be out of date. */
    isLate: computed(() => status.value === 'late'),
    isLeading: () => isLeading,
    /** Follows the customer's tickets and the messages of `thread`; `isSeen`: this tab is visible. */
    connect: action((nextThread: string | null, isSeen: boolean) => {
      const hasTurnedHere = isSeen && (!isVisible || nextThread !== thread);
      const hasLeft = isVisible && !isSeen;
      thread = nextThread;
      isVisible = isSeen;
      if (!tabs) {
        tabs = join({ onMessage, onLead, onLost }, api.isAlone());
        tabs.requestLead(isSeen);
        if (!isSeen) tabs.broadcast({ ask: 'state' });
      } else if (isLeading) {
        connection.connect(thread);
        if (hasLeft) tabs.broadcast({ ask: 'lead' });
      } else if (hasTurnedHere) tabs.requestLead(true);
    }),
    /** The customer has focused this tab. */
    lead() {
      if (!isLeading) tabs?.requestLead(true);
    },
    stop,
    wake: connection.wake,
  };
}

export type LiveModel = ReturnType<typeof createLive>;
