import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../core/store/open.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { shardCount } from '../../core/live/readers.ts';
import { createLeases, leaseMs, type Leases, shardOf } from './leases.ts';

const all = Array.from({ length: shardCount }, (_, shard) => shard);
const half = shardCount / 2;

let store: Store;
/** The monotonic clock of all instances. The server's clock does not follow it. */
let now: number;
beforeEach(async () => {
  store = await openTestStore();
  now = 0;
});
afterEach(() => store.destroy());

async function join(instance: string): Promise<Leases> {
  const leases = createLeases(store, instance, () => now);
  await leases.prepare();
  return leases;
}

/** Moves the ends of leases back, as if this time had passed on the server since the last renewal. */
const advanceServer = (ms: number) =>
  sql`update watch_shards set until = until - cast(${ms} as bigint) where until > 0`.execute(store);

const heldTogether = (...leases: Leases[]) =>
  leases.flatMap((each) => each.ownShards()).toSorted((a, b) => a - b);

it('the first instance holds all shards, and each has a term', async () => {
  const first = await join('first');
  await first.renew(shardCount);
  expect(first.ownShards()).toEqual(all);
  expect(all.every((shard) => first.termOf(shard) === 1 && first.isLeased(shard))).toBe(true);
  expect(first.freeCount()).toBe(0);
});

it('a new instance gets its share as soon as another has released it', async () => {
  const [first, second] = [await join('first'), await join('second')];
  await first.renew(shardCount);
  await second.renew(half);
  expect(second.ownShards()).toEqual([]);
  expect(await first.renew(half)).toEqual({ hasGivenUp: true });
  await second.renew(half);
  expect([first.ownShards().length, second.ownShards().length]).toEqual([half, half]);
  expect(heldTogether(first, second)).toEqual(all);
});

it('instances that take free shards at once never share a shard [live-21]', async () => {
  const leases = await Promise.all(Array.from({ length: 8 }, (_, nth) => join(`instance ${nth}`)));
  await Promise.all(leases.map((each) => each.renew(shardCount / 8)));
  expect(new Set(heldTogether(...leases)).size).toBe(heldTogether(...leases).length);
  await Promise.all(leases.map((each) => each.renew(shardCount / 8)));
  expect(heldTogether(...leases)).toEqual(all);
});

it('shards of an instance that is gone are free when its lease has expired, and not before', async () => {
  const [first, second] = [await join('first'), await join('second')];
  await first.renew(shardCount);
  await advanceServer(leaseMs / 2);
  await second.renew(shardCount);
  expect(second.ownShards()).toEqual([]);
  await advanceServer(leaseMs / 2);
  await second.renew(shardCount);
  expect(second.ownShards()).toEqual(all);
  expect(second.termOf(0)).toBe(2);
});

it('a holder that was frozen no longer trusts its lease when another instance may take it [live-23]', async () => {
  const frozen = await join('frozen');
  await frozen.renew(shardCount);
  now += leaseMs - 1_500;
  expect(frozen.termOf(7)).toBe(1);
  now += 1_000;
  expect(frozen.termOf(7)).toBeUndefined();
  expect(frozen.ownShards()).toEqual([]);
});

it('a holder whose lease expired gets another term, and no shards that others have taken', async () => {
  const [frozen, other] = [await join('frozen'), await join('other')];
  await frozen.renew(shardCount);
  await advanceServer(leaseMs);
  await other.renew(half);
  await frozen.renew(shardCount);
  expect(heldTogether(frozen, other)).toEqual(all);
  expect(frozen.ownShards().every((shard) => frozen.termOf(shard) === 2)).toBe(true);
});

it('a lease that is renewed in time keeps its term, however often', async () => {
  const first = await join('first');
  for (let times = 0; times < 4; times += 1) {
    await first.renew(shardCount);
    await advanceServer(leaseMs / 2);
    now += leaseMs / 2;
  }
  expect(first.termOf(0)).toBe(1);
});

it('an instance that stops releases its shards to others at once', async () => {
  const [first, second] = [await join('first'), await join('second')];
  await first.renew(shardCount);
  await first.release();
  expect(first.ownShards()).toEqual([]);
  await second.renew(shardCount);
  expect(second.ownShards()).toEqual(all);
});

it('while the server is away no shard is known to be held once the last read is older than a lease', async () => {
  const [first, second] = [await join('first'), await join('second')];
  await first.renew(shardCount);
  await second.renew(0);
  expect(second.isLeased(0)).toBe(true);
  now += leaseMs;
  expect(second.isLeased(0)).toBe(false);
  expect(second.freeCount()).toBe(shardCount);
});

it('tickets are spread over all shards', () => {
  const shards = new Set(Array.from({ length: 5_000 }, (_, nth) => shardOf(`ticket ${nth}`)));
  expect(shards.size).toBe(shardCount);
});
