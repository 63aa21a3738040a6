import type { Live } from '../live/live.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Operations } from '../tickets/operations.ts';
import type { Feed } from './feed.ts';
import type { Change } from './change-log.ts';
import type { SharedReading } from './shared-reading.ts';

/**
 * Functions that concern this instance only, or whose effects (changed operations, findings of readers) are published
 * by other code.
 */
type OnlyHere =
  | 'open'
  | 'operation'
  | 'restartAll'
  | 'moved'
  | 'found'
  | 'setElsewhere'
  | 'reassess'
  | 'inTurn'
  | 'stop'
  | 'isBreakerOpen'
  | 'counts';

/**
 * The same functions for the open streams of all instances. They act here at once, and elsewhere through the feed. A
 * hint rejects when it cannot be published, so that its sender can send it to another instance.
 */
export function shareLive(live: Live, feed: Pick<Feed, 'publish' | 'append'>): Live {
  const publish = (change: Change) => void feed.publish(change);
  const shared: Omit<Live, OnlyHere> = {
    restart(subjectId) {
      live.restart(subjectId);
      publish({ kind: 'subject', subjectId, about: null });
    },
    async endSession(session) {
      publish({ kind: 'session', subjectId: session.subjectId, about: session.id });
      await live.endSession(session);
    },
    async endSessions(subjectId) {
      publish({ kind: 'sessions', subjectId, about: null });
      await live.endSessions(subjectId);
    },
    async refresh(subjectId, ticketId) {
      publish({ kind: 'view', subjectId, about: ticketId });
      await live.refresh(subjectId, ticketId);
    },
    async hint(ticketId) {
      await live.hint(ticketId);
      await feed.append({ kind: 'ticket', subjectId: null, about: ticketId });
    },
  };
  return { ...live, ...shared };
}

interface Here {
  live: Live;
  operations: Pick<Operations, 'byId'>;
  reading: Pick<SharedReading, 'renew'>;
  /** Called with each operation that another instance has changed. */
  onOperation: (row: OperationRow) => void;
}

/** Applies a change that another instance has published to the streams and the waiting requests of this instance. */
export function applyHere({ live, operations, reading, onOperation }: Here) {
  return async ({ kind, subjectId, about }: Change): Promise<void> => {
    switch (kind) {
      case 'operation': {
        const row = await operations.byId(about!);
        if (!row) return;
        onOperation(row);
        await live.operation(row);
        return;
      }
      case 'subject':
        return live.restart(subjectId!);
      case 'session':
        return live.endSession({ id: about!, subjectId: subjectId! });
      case 'sessions':
        return live.endSessions(subjectId!);
      case 'view':
        return live.refresh(subjectId!, about!);
      case 'ticket':
        return live.hint(about!);
      case 'moved':
        return live.moved(about!);
      case 'found': {
        const end = about!.indexOf(' ');
        return live.found(about!.slice(end + 1), about!.slice(0, end));
      }
      case 'shards':
        // Other changes must not wait for it.
        void reading.renew();
    }
  };
}
