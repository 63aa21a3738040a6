import type { Live } from '../../core/live/live.ts';
import { type Readers, shardCount } from '../../core/live/readers.ts';
import type { Store } from '../../core/store/open.ts';
import { createForeignInterests } from './foreign-interests.ts';
import { createInterests } from './interests.ts';
import { createLeases, shardOf } from './leases.ts';
import { createMembers } from './members.ts';
import type { Change } from './change-log.ts';

/** How often this instance renews its leases, writes its heartbeat, and reads the interests of others. */
const everyMs = 1_000;
/** The holder of this shard reads the list of the newest tickets. */
const listShard = 0;
/** How long an instance leaves the reads to others after the service has not answered it. */
const awayMs = 30_000;
const trialMs = 10_000;

interface Joined {
  live: Pick<Live, 'setElsewhere' | 'reassess' | 'isBreakerOpen'>;
  publish: (change: Change) => Promise<void>;
}

/**
 * Divides the reads of tickets among the instances on one PostgreSQL database. Each holds leases of some shards
 * (`leases.ts`) and reads the tickets in them for the viewers of all instances. It knows these viewers from the
 * interests of the instances (`interests.ts`). It publishes its findings in the change log. An instance whose viewers
 * have not seen a finding reads the ticket once.
 */
export function createSharedReading(
  store: Store,
  instance: string,
  elapsed: () => number,
  onError: (error: unknown) => void,
) {
  const members = createMembers(store, instance);
  const leases = createLeases(store, instance, elapsed);
  const interests = createInterests(store, instance, onError);
  let joined: Joined | undefined;
  const foreign = createForeignInterests(interests, elapsed, (ticketId, elsewhere) => {
    if (!left) joined?.live.setElsewhere(ticketId, elsewhere);
  });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let left: Promise<void> | undefined;
  let failingSince: number | undefined;
  let lastOwners = '';

  /** Zero while the service does not answer this instance, since it may answer others. */
  function fairShare(): number {
    if (!joined!.live.isBreakerOpen()) failingSince = undefined;
    else failingSince ??= elapsed();
    const isAway = failingSince !== undefined && (elapsed() - failingSince) % (awayMs + trialMs) < awayMs;
    return isAway ? 0 : Math.ceil(shardCount / members.count());
  }

  function reassessIfOthersRead(): void {
    const owners = `${leases.ownShardCount()} ${leases.freeCount()}`;
    if (owners !== lastOwners) joined!.live.reassess();
    lastOwners = owners;
  }

  async function renewOnce(): Promise<void> {
    if ((await members.heartbeat()).isNew) interests.rewrite();
    // Writes what could not be written before.
    await interests.flush();
    const { hasGivenUp } = await leases.renew(fairShare());
    await foreign.load(leases.ownShards());
    joined!.live.reassess();
    if (hasGivenUp) await joined!.publish({ kind: 'shards', subjectId: null, about: null });
  }

  async function renewUntilCurrent(): Promise<void> {
    isAskedAgain = false;
    await renewOnce().catch(onError);
    if (isAskedAgain && !left) await renewUntilCurrent();
  }

  /** Renews everything of this instance, and takes or gives up shards until it has its share. Never rejects. */
  function renew(): Promise<void> {
    if (left) return left;
    isAskedAgain = running !== undefined;
    return (running ??= renewUntilCurrent().finally(() => (running = undefined)));
  }

  async function leaveNow(): Promise<void> {
    clearInterval(timer);
    await running;
    await interests.stop();
    await leases.release();
    await members.leave();
    await joined?.publish({ kind: 'shards', subjectId: null, about: null });
  }

  async function publishMoved(ticketIds: readonly string[]): Promise<void> {
    for (const about of await interests.among(ticketIds))
      await joined!.publish({ kind: 'ticket', subjectId: null, about });
  }

  const readers: Readers = {
    termOf: (ticketId) => leases.termOf(shardOf(ticketId)),
    hasReader: (ticketId) => leases.isLeased(shardOf(ticketId)),
    isLister: () => leases.termOf(listShard) !== undefined || !leases.isLeased(listShard),
    want: interests.want,
    drop: interests.drop,
    found: (ticketId, digest) =>
      void joined?.publish({ kind: 'found', subjectId: null, about: `${digest} ${ticketId}` }),
    moved: (ticketIds) => void (joined && publishMoved(ticketIds).catch(onError)),
    // Its own shards, and an equal part of those that nobody holds.
    share: () => (leases.ownShardCount() + leases.freeCount() / members.count()) / shardCount,
    shards: leases.ownShardCount,
  };

  return {
    readers,

    /** Resolves when this instance has its first shards. */
    async start(to: Joined): Promise<void> {
      joined = to;
      await members.heartbeat();
      await leases.prepare();
      await renew();
      timer = setInterval(() => {
        reassessIfOthersRead();
        void renew();
      }, everyMs).unref();
    },

    renew,

    /** Gives all shards to the other instances at once, and takes none again. */
    leave: (): Promise<void> => (left ??= leaveNow().catch(onError)),
  };
}

export type SharedReading = ReturnType<typeof createSharedReading>;
