import type { ReadonlySignal } from '@preact/signals';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { SessionModel } from '../customer/session.ts';
import type { LoadingModel } from '../thread/loading.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import type { StreamStart } from './connection.ts';
import type { LiveModel } from './live.ts';

interface FollowOptions {
  session: SessionModel;
  tickets: TicketsModel;
  loading: LoadingModel;
  list: ReadonlySignal<TicketSummary[]>;
  viewedId: ReadonlySignal<string | null>;
  isOpen: ReadonlySignal<boolean>;
  isVisible: ReadonlySignal<boolean>;
  isAway: ReadonlySignal<boolean>;
}

/** Decides whether the event stream is open, and which conversation it follows. */
export function createFollow(options: FollowOptions) {
  const { session, tickets, loading, list, viewedId, isOpen, isVisible, isAway } = options;
  /** The conversation that the stream follows. */
  let followed: string | null = null;

  return {
    /** Where a stream that follows this conversation begins. */
    begin: (thread: string | null): StreamStart => ({
      after: thread === null ? null : tickets.completeUpTo(thread),
      since: tickets.moment(),
    }),
    /** The known state as a `sync` event; null while it is incomplete. */
    snapshot(): ServerEvent | null {
      const known = session.current.peek();
      if (!known || !tickets.isLoaded.peek()) return null;
      // With the conversation, so that other tabs can apply the leader's later events of it.
      const here = followed === null ? undefined : tickets.thread(followed);
      const thread = here?.read_at ? { ...here, before: null, after: null } : null;
      return { name: 'sync', data: { session: known, tickets: [...tickets.list.peek()], thread } };
    },
    /** An effect: opens or ends the stream when it is needed or no longer needed. */
    follow(live: LiveModel) {
      // Runs again for each new session: taking one stops the stream.
      void session.current.value;
      // The badge needs the list.
      const isNeeded = isOpen.value || !tickets.isLoaded.value || list.value.length > 0;
      // Not before the conversation has been read: the stream would send it a second time.
      if (!loading.isOpening.value) followed = isOpen.value ? viewedId.value : null;
      if (session.isUsed.value && isNeeded && !isAway.value && !session.isWaiting.value)
        live.connect(followed, isVisible.value);
      else live.stop();
    },
  };
}
