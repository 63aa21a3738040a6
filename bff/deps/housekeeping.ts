import { setTimeout as sleep } from 'node:timers/promises';
import type { Removal } from '../tickets/removal.ts';
import type { SendRetention } from '../delivery/retention.ts';
import { batches, pauseAfter } from '../limits/batches.ts';
import { findUnvisited, noVisit, type Visit } from '../session/visits.ts';
import { createVotes } from '../articles/votes.ts';
import { removeExpiredMarks } from '../store/records/used-once.ts';
import type { IdentityModules } from './identity.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** A chore does one batch at a time. Requests go first in between. */
type Chore = () => AsyncGenerator<void>;

/** `remove` handles up to the given number of rows, and returns how many it handled. */
const repeated = (remove: (limit: number) => Promise<number>): Chore =>
  async function* inBatches() {
    while ((await remove(batches.rows)) >= batches.rows) yield;
  };

/** Removes rows that are no longer needed from the store, in small batches. Ends early when `signal` is aborted. */
export function createHousekeeping({
  outside: { config, store, now, elapsed },
  identity: { sessions, subjects, codes, handoffs },
  ticketModules: { transfers },
  sends,
  removal,
  keepScripts,
  removeOldChanges = async () => 0,
  pruneExternalTickets = async () => 0,
  onError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'now' | 'elapsed'>;
  identity: Pick<IdentityModules, 'sessions' | 'subjects' | 'codes' | 'handoffs'>;
  ticketModules: Pick<TicketModules, 'transfers'>;
  sends: Pick<SendRetention, 'eraseDelivered' | 'eraseRejected' | 'expireUndecided'>;
  removal: Pick<Removal, 'removeSubject'>;
  keepScripts: () => Promise<void>;
  removeOldChanges?: (limit: number) => Promise<number>;
  pruneExternalTickets?: (limit: number) => Promise<number>;
  onError: OnError;
}) {
  async function* removeUnused() {
    for (let id: string | null = ''; (id = await subjects.removeUnusedBehind(id, batches.rows)) !== null;)
      yield;
  }

  async function* removeUnvisited() {
    const before = now() - config.retention.unvisitedMs;
    let last: Visit | undefined = noVisit;
    while (last) {
      const found: Visit[] = await findUnvisited(store, before, last, batches.rows);
      for (const { id } of found) {
        if ((await sessions.shown(id)).length === 0) await removal.removeSubject(id, 'keep');
        yield;
      }
      last = found.at(-1);
    }
  }

  const chores: Chore[] = [
    repeated(sends.eraseDelivered),
    repeated(sends.eraseRejected),
    repeated(sends.expireUndecided),
    repeated(sessions.removeEnded),
    repeated(codes.removeExpired),
    repeated(handoffs.removeExpired),
    repeated(transfers.removeExpiredOffers),
    repeated((limit) => removeExpiredMarks(store, now(), limit)),
    repeated(() => createVotes({ store, now }).removeOld()),
    repeated(removeOldChanges),
    repeated(pruneExternalTickets),
    removeUnused,
    removeUnvisited,
  ];

  async function run(chore: Chore, signal?: AbortSignal): Promise<void> {
    let begun = elapsed();
    for await (const _batch of chore()) {
      // A server that stops does not wait for the pause.
      await sleep(pauseAfter(elapsed() - begun), undefined, { signal }).catch(() => {});
      if (signal?.aborted) return;
      begun = elapsed();
    }
  }

  return async function housekeep(signal?: AbortSignal): Promise<void> {
    // A chore that fails does not stop the others.
    await keepScripts().catch(onError);
    for (const chore of chores) if (!signal?.aborted) await run(chore, signal).catch(onError);
  };
}
