import { createFeed, keptMs } from '../instances/feed.ts';
import { createChangeLog } from '../instances/change-log.ts';
import { applyHere, shareLive } from '../instances/shared-live.ts';
import { createSharedReading, type SharedReading } from '../instances/shared-reading.ts';
import { isPostgres } from '../store/dialect.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Live } from '../live/live.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Creates the module that divides reads among the instances. Null on SQLite, where there is one process. */
export const createReadingModule = ({
  outside: { store, instanceStore = store, elapsed },
  instance,
  onError,
}: {
  outside: Pick<Outside, 'store' | 'instanceStore' | 'elapsed'>;
  instance: string;
  onError: OnError;
}): SharedReading | null =>
  isPostgres(store) ? createSharedReading({ store: instanceStore, instance, elapsed, onError }) : null;

/**
 * Creates the modules that let several instances on one PostgreSQL database work together. On SQLite there is one
 * process, so nothing is published.
 */
export function createInstances({
  outside: { store, instanceStore = store, now, elapsed },
  instance,
  reading,
  ticketModules: { operations },
  live,
  onOperation,
  onError,
}: {
  outside: Pick<Outside, 'store' | 'instanceStore' | 'now' | 'elapsed'>;
  ticketModules: Pick<TicketModules, 'operations'>;
  live: Live;
  /** Called with each operation that another instance has changed. */
  onOperation: (row: OperationRow) => void;
  instance: string;
  /** Null on SQLite. */
  reading: SharedReading | null;
  onError: OnError;
}) {
  if (!reading)
    return {
      live,
      publishOperation: (_row: OperationRow) => {},
      removeOldChanges: async (_limit: number) => 0,
      start: async () => {},
      wake: () => {},
      stop: async () => {},
    };
  const changeLog = createChangeLog({ store: instanceStore, instance, now });
  const feed = createFeed({
    changeLog,
    apply: applyHere({ live, operations, reading, onOperation }),
    onMissed: live.restartAll,
    elapsed,
    onError,
  });
  return {
    live: {
      ...shareLive(live, feed),
      stop(): void {
        live.stop();
        // This instance reads no more tickets. Other instances can take over before the stop is complete.
        void reading.leave();
      },
    },
    publishOperation: ({ id, subject_id: subjectId }: OperationRow) =>
      void feed.publish({ kind: 'operation', subjectId, about: id }),
    removeOldChanges: (limit: number) => changeLog.removeBefore(now() - keptMs, limit),
    async start() {
      await feed.start();
      await reading.start({ live, publish: feed.publish });
    },
    wake: feed.wake,
    async stop() {
      await reading.leave();
      await feed.stop();
    },
  };
}
