import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, isoTime } from './clock.ts';
import type { SendRetention } from './delivery/retention.ts';
import type { Sessions } from './identity/sessions.ts';
import { removeUnused, unvisited } from './identity/unused-subjects.ts';
import type { Log } from './log/log.ts';
import { countByParts, isInPart } from './store/statements/count.ts';
import type { Store } from './store/open.ts';
import { removeExpired } from './store/statements/remove.ts';
import type { LastUse } from './store/records/last-use.ts';
import type { Scripts } from './store/records/scripts.ts';
import { consumeOnce } from './store/records/used-once.ts';
import type { Removal } from './tickets/removal.ts';

const everyMs = 3_600_000;
const dayMs = 24 * everyMs;
/** How far apart two clocks may be that agree on what is old. */
const agreeMs = everyMs;
/** How long a server may be stopped, and still know by the last use of its store that its clock is right. */
const longestStopMs = 7 * dayMs;
/** The share of customers that one day removes at most, and how many it may remove in any case. */
const mostADay = { share: 0.05, customers: 20 };

/** Sizes of batches. All statements share one connection, so a request may have to wait for one batch. */
export const batches = {
  /** Rows that one statement changes or reads. The removal of a customer is a batch of its own. */
  rows: 20,
  /** The shortest and the longest pause after a batch, in milliseconds. */
  pauseMs: { min: 5, max: 1_000 },
  /** The length of the pause relative to the batch. On a slow disk or a busy processor, housekeeping does less. */
  pauseFactor: 3,
} as const;

/** The pause after a batch. Both in milliseconds. */
export function pauseAfter(batchMs: number): number {
  const { min, max } = batches.pauseMs;
  return Math.min(max, Math.max(min, batches.pauseFactor * batchMs));
}

/** A chore does one batch at a time. Requests go first in between. */
type Chore = () => AsyncGenerator<void>;

interface HousekeepingDeps extends Clock {
  store: Store;
  sessions: Sessions;
  sends: SendRetention;
  removal: Removal;
  scripts: Pick<Scripts, 'keep'>;
  parts: readonly { chores?: readonly ((limit: number) => Promise<number>)[] }[];
  /** A customer who has not come for this long is removed. */
  unvisitedMs: number;
  /** The ticket service's clock; null while it is not known. */
  serviceNow: () => number | null;
  lastUse: Pick<LastUse, 'expectedNow'>;
  log: Pick<Log, 'info' | 'report'>;
  onError: (error: unknown) => void;
}

/**
 * How many customers may be removed today. A wrong clock or setting must not remove all of them at once. Of all processes
 * of a day, one has its share, so that starting again does not add to it.
 */
function createAllowance({ store, now, log }: Pick<HousekeepingDeps, 'store' | 'now' | 'log'>) {
  const count = countByParts(
    { store, table: 'subjects' },
    async (part) => {
      const counted = store
        .selectFrom('subjects')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(isInPart(store, part));
      return (await counted.executeTakeFirstOrThrow()).count;
    },
    (sum, more) => sum + more,
  );
  let today = '';
  let isOurs = false;
  let left = 0;
  async function beginDay(day: string): Promise<void> {
    const share = Math.max(mostADay.customers, Math.floor((await count()) * mostADay.share));
    isOurs = await consumeOnce(store, 'retention', day, now() + 2 * dayMs);
    left = isOurs ? share : 0;
    today = day;
  }

  return {
    /** To be called when there is one to remove. Reports it if the day's share is used up. */
    async allows(): Promise<boolean> {
      const day = isoTime(now()).slice(0, 10);
      if (day !== today) await beginDay(day);
      if (left <= 0 && isOurs) log.report('retention_stopped');
      return left > 0;
    },
    spend: () => void (left -= 1),
  };
}

/**
 * Removes rows that are no longer needed from the store, at the start and every hour, in small batches. It believes the
 * wall clock only while a second clock agrees.
 */
export function createHousekeeping(deps: HousekeepingDeps) {
  const { store, sessions, sends, removal, scripts, parts } = deps;
  const { unvisitedMs, serviceNow, lastUse, log, now, elapsed, onError } = deps;
  const allowance = createAllowance(deps);
  /** What the present run has removed or erased. */
  let removed: Record<string, number> = {};
  const ending = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let underway: Promise<void> | undefined;

  const count = (what: string, rows: number) => void (removed[what] = (removed[what] ?? 0) + rows);

  /** `remove` handles up to the given number of rows, and returns how many it handled. */
  const repeated = (what: string, remove: (limit: number) => Promise<number>): Chore =>
    async function* inBatches() {
      for (;;) {
        const rows = await remove(batches.rows);
        count(what, rows);
        if (rows < batches.rows) return;
        yield;
      }
    };

  async function* removeUnvisited() {
    for await (const id of unvisited(store, now() - unvisitedMs, batches.rows)) {
      if ((await sessions.shown(id)).length > 0) continue;
      if (!(await allowance.allows())) return;
      const { undelivered } = await removal.removeSubject(id, 'keep');
      if (undelivered === 0) {
        allowance.spend();
        count('subjects', 1);
      }
      yield;
    }
  }

  const chores = (): Chore[] => [
    repeated('delivered_texts', sends.eraseDelivered),
    repeated('rejected_texts', sends.eraseRejected),
    repeated('undecided_texts', sends.expireUndecided),
    repeated('sessions', sessions.removeEnded),
    ...(['codes', 'handoffs', 'transfers', 'used_once'] as const).map((table) =>
      repeated(table, (limit) => removeExpired(store, table, now(), limit)),
    ),
    ...parts.flatMap((part) => part.chores ?? []).map((chore) => repeated('other', chore)),
    () => removeUnused(store, batches.rows, now),
    removeUnvisited,
  ];

  /** Whether a second clock agrees with the wall clock. A clock that was set ahead would make everything old. */
  function isClockRight(): boolean {
    const there = serviceNow();
    return there === null
      ? Math.abs(lastUse.expectedNow() - now()) <= longestStopMs
      : Math.abs(there - now()) <= agreeMs;
  }

  async function run(chore: Chore, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted || !isClockRight()) return;
    let begun = elapsed();
    for await (const _batch of chore()) {
      // A server that stops does not wait for the pause.
      await sleep(pauseAfter(elapsed() - begun), undefined, { signal }).catch(() => {});
      if (signal?.aborted || !isClockRight()) return;
      begun = elapsed();
    }
  }

  /** Does all chores once. Ends early when `signal` is aborted. */
  async function housekeep(signal?: AbortSignal): Promise<void> {
    await scripts.keep().catch(onError);
    removed = {};
    // A chore that fails does not stop the others.
    for (const chore of chores()) await run(chore, signal).catch(onError);
    if (!isClockRight()) log.report('retention_waits');
    const some = Object.entries(removed).filter(([, rows]) => rows > 0);
    if (some.length > 0) log.info('removed what is no longer kept', { removed: Object.fromEntries(some) });
  }

  function begin(): void {
    underway ??= housekeep(ending.signal)
      .catch(onError)
      .finally(() => {
        underway = undefined;
      });
  }

  return {
    housekeep,

    start(): void {
      begin();
      timer = setInterval(begin, everyMs);
    },

    /** Resolves when no chore is in progress. */
    async stop(): Promise<void> {
      clearInterval(timer);
      ending.abort();
      await underway;
    },
  };
}
