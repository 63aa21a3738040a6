import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { FrameSettings } from '../../bridge/messages.ts';
import { keptName, type Store } from '../browser/storage.ts';
import type { Clock } from '../browser/clock.ts';

/** Stored: false when the customer has turned previews off in this browser. */
const wantedName = `${keptName}preview`;
/** Stored: the answer that was notified last. */
const toldName = 'told';
/** Wait before a notification, in which another window may show the answer and mark it as read. */
const settleMs = 1_000;
/** Wait before the announcement: screen readers ignore what a live region has when it becomes visible. */
const announceAfterMs = 500;
const quietMs = 5_000;

interface NotificationOptions {
  clock: Clock;
  storage: Store;
  settings: () => Partial<FrameSettings>;
  find: (ref: string) => TicketSummary | undefined;
  /** Whether the panel is open. */
  isOpen: () => boolean;
  /** Whether this conversation is on screen. */
  isSeen: (ticketId: string) => boolean;
  /** Shows the preview; null ends it. */
  show: (ticket: TicketSummary | null) => void;
  announce: (ticket: TicketSummary) => void;
  play: () => void;
}

/** Sound, preview and announcement of a new answer. To be used in one tab only. */
export function createNotifications(options: NotificationOptions) {
  const { clock, storage, settings, find, isOpen, isSeen, show, announce, play } = options;
  let playedAt = -Infinity;

  function sound() {
    if (!settings().sound || clock.now() - playedAt < quietMs) return;
    playedAt = clock.now();
    play();
  }

  function preview(ticket: TicketSummary) {
    const isWanted = settings().preview !== false && storage.read(wantedName) !== false;
    if (!isWanted || isOpen() || ticket.preview?.author_type !== 'agent') return;
    show(ticket);
    clock.after(announceAfterMs, () => {
      if (find(ticket.id!)?.unread && !isOpen()) announce(ticket);
    });
  }

  /** Hidden tabs find an answer one after the other: only the first may notify. */
  function isTold({ id, updated_at, unread }: TicketSummary) {
    const answer = `${id} ${updated_at} ${unread}`;
    const isKnown = storage.read(toldName) === answer;
    storage.write(toldName, answer);
    return isKnown;
  }

  return {
    /** An agent has just answered. */
    arrive({ id }: Pick<TicketSummary, 'id'>) {
      clock.after(settleMs, () => {
        const ticket = find(id!);
        if (!ticket?.unread || isTold(ticket)) return;
        if (!isSeen(id!)) sound();
        preview(ticket);
      });
    },
    /** Turns previews off for good, in this browser. */
    mute() {
      storage.write(wantedName, false);
      show(null);
    },
  };
}
