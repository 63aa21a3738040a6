import { createFeed, keptMs } from '../instances/feed.ts';
import type { Members } from '../instances/members.ts';
import { createOutbox } from '../instances/outbox.ts';
import { applyHere, shareLive } from '../instances/shared-live.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Live } from '../live/live.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** What makes several instances on one PostgreSQL database work as one. With SQLite there is nothing to tell. */
export function createInstances({
  outside: { store, now, elapsed },
  members,
  ticketModules: { operations },
  live,
  onError,
}: {
  outside: Pick<Outside, 'store' | 'now' | 'elapsed'>;
  ticketModules: Pick<TicketModules, 'operations'>;
  live: Live;
  members: Members | null;
  onError: OnError;
}) {
  if (!members)
    return {
      live,
      tellOperation: (_row: OperationRow) => {},
      removeOldChanges: async (_limit: number) => 0,
      start: async () => {},
      wake: () => {},
      stop: async () => {},
    };
  const outbox = createOutbox({ store, instance: members.instance, now });
  const feed = createFeed({
    outbox,
    apply: applyHere({ live, operations }),
    onMissed: live.restartAll,
    elapsed,
    onError,
  });
  return {
    live: shareLive(live, (change) => void feed.tell(change)),
    tellOperation: ({ id, subject_id: subjectId }: OperationRow) =>
      void feed.tell({ kind: 'operation', subjectId, about: id }),
    removeOldChanges: (limit: number) => outbox.removeBefore(now() - keptMs, limit),
    async start() {
      await members.start();
      await feed.start();
    },
    wake: feed.wake,
    async stop() {
      await feed.stop();
      await members.stop();
    },
  };
}
