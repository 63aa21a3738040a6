import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { FrameSettings } from '../../bridge/messages.ts';
import type { Store } from '../storage.ts';
import { keptName } from '../storage.ts';
import type { Clock } from './clock.ts';

/** False where the customer wants no more previews in this browser. */
const wantedName = `${keptName}preview`;
/** The answer that was told last. */
const toldName = 'told';
/** Until another window has shown the answer and marked it as read. */
const settleMs = 1_000;
/** A live region that has just come into sight is heard only of what changes in it after that. */
const announceAfterMs = 500;
const quietMs = 5_000;

interface NotificationOptions {
  clock: Clock;
  storage: Store;
  settings: () => Partial<FrameSettings>;
  find: (ref: string) => TicketSummary | undefined;
  /** Whether the panel is open. */
  isOpen: () => boolean;
  /** Whether this conversation is before the customer's eyes. */
  isSeen: (ticketId: string) => boolean;
  /** Draws the preview over the launcher; null ends it. */
  show: (ticket: TicketSummary | null) => void;
  announce: (ticket: TicketSummary) => void;
  play: () => void;
}

/** What tells of a new answer outside the panel. Ask it in one tab only. */
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

  /** Hidden tabs look for answers one after the other: only the first tells. */
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
    /** For good, in this browser. */
    mute() {
      storage.write(wantedName, false);
      show(null);
    },
  };
}
