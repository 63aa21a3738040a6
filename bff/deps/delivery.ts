import { setTimeout as sleep } from 'node:timers/promises';
import { createDelivery } from '../delivery/delivery.ts';
import { createLedger } from '../delivery/ledger.ts';
import { createQueue } from '../delivery/due.ts';
import { createRemoval } from '../tickets/removal.ts';
import { createSendRetention } from '../delivery/retention.ts';
import { createSender } from '../delivery/send.ts';
import { createWorker } from '../delivery/worker.ts';
import { batches } from '../limits/batches.ts';
import { createHousekeeping } from './housekeeping.ts';
import { createHourly } from './hourly.ts';
import type { IdentityModules } from './identity.ts';
import type { NoticeRecords } from './notice-records.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/**
 * Creates the modules that send tickets and messages to the ticket service.
 */
export function createDeliveryModules({
  outside,
  identity,
  ticketModules,
  noticeRecords,
  keepScripts,
  removeOldChanges,
  pruneExternalTickets,
  onJump,
  onError,
  onChoreError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'seal' | 'v1' | 'metrics' | 'tracer' | 'now' | 'elapsed'>;
  identity: IdentityModules;
  ticketModules: TicketModules;
  noticeRecords: NoticeRecords;
  keepScripts: () => Promise<void>;
  removeOldChanges?: (limit: number) => Promise<number>;
  pruneExternalTickets?: (limit: number) => Promise<number>;
  /** Called when the system clock was set. */
  onJump: (aheadMs: number) => void;
  onError: OnError;
  onChoreError: OnError;
}) {
  const { config, store, seal, v1, metrics, tracer, now, elapsed } = outside;
  const { settleMs, leaseMs, hasFooter } = config;
  const { sessions, subjects } = identity;
  const { operations, grants, ticketRecords, threads } = ticketModules;
  const ledger = createLedger({
    store,
    seal,
    grants,
    ticketRecords,
    ...(noticeRecords.isOn && { notices: noticeRecords.notices }),
    settleMs,
    leaseMs,
    tracer,
    now,
    elapsed,
  });
  const sender = createSender({ v1, ledger, seal, threads, hasFooter, now, elapsed });
  const queue = createQueue({ store });
  const sends = createSendRetention({ store, expire: ledger.expire, keep: config.retention, now });
  const removal = createRemoval({
    store,
    sends,
    sessions,
    subjects,
    grants,
    ticketRecords,
    limit: batches.rows,
    pause: () => sleep(batches.pauseMs.min),
  });
  const housekeep = createHousekeeping({
    outside,
    identity,
    ticketModules,
    sends,
    removal,
    keepScripts,
    ...(removeOldChanges && { removeOldChanges }),
    ...(pruneExternalTickets && { pruneExternalTickets }),
    onError: onChoreError,
  });
  const chores = createHourly(housekeep, onChoreError);
  const worker = createWorker({
    ledger,
    queue,
    sender,
    operations,
    durations: metrics.deliveryDurations,
    tracer,
    now,
    elapsed,
    onJump,
    onError,
  });
  const delivery = createDelivery({ ledger, worker, sender, sessions, subjects });
  return { ledger, worker, delivery, sends, removal, housekeep, chores };
}
