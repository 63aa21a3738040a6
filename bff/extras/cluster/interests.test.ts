import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../core/store/open.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { until } from '../../testing/streams.ts';
import { createInterests } from './interests.ts';
import { shardOf } from './leases.ts';
import { createMembers } from './members.ts';

const seen = (digest: string) => ({ isOnScreen: true, seen: digest });
const shards = ['a', 'b'].map(shardOf);

let store: Store;
let errors: unknown[];
beforeEach(async () => {
  store = await openTestStore();
  errors = [];
});
afterEach(() => store.destroy());

async function join() {
  const instance = randomUUID();
  const members = createMembers(store, instance);
  await members.heartbeat();
  const interests = createInterests(store, instance, (error) => errors.push(error));
  return { instance, members, interests };
}

it('what the viewers of an instance need is visible to the other instances, and not to itself', async () => {
  const [here, there] = [await join(), await join()];
  here.interests.want('a', seen('one'));
  here.interests.want('b', { isOnScreen: false, seen: 'two' });
  await here.interests.flush();
  const { instance } = here;
  expect(
    (await there.interests.ofOthers(shards)).toSorted((x, y) => x.ticketId.localeCompare(y.ticketId)),
  ).toEqual([
    { ticketId: 'a', instance, isOnScreen: true, seen: 'one' },
    { ticketId: 'b', instance, isOnScreen: false, seen: 'two' },
  ]);
  expect(await there.interests.ofOthers([shardOf('a')])).toHaveLength(1);
  expect(await here.interests.ofOthers(shards)).toEqual([]);
  expect(await there.interests.among(['a', 'other'])).toEqual(['a']);
});

it('changed interests are written without a call, in their latest state', async () => {
  const [here, there] = [await join(), await join()];
  here.interests.want('a', seen('one'));
  here.interests.want('b', seen('one'));
  here.interests.want('a', seen('two'));
  here.interests.drop('b');
  await until(async () =>
    expect(await there.interests.ofOthers(shards)).toMatchObject([{ ticketId: 'a', seen: 'two' }]),
  );
});

it('a ticket is no longer needed once its last viewer has gone', async () => {
  const [here, there] = [await join(), await join()];
  here.interests.want('a', seen('one'));
  await here.interests.flush();
  here.interests.drop('a');
  await here.interests.flush();
  expect(await there.interests.ofOthers(shards)).toEqual([]);
});

it('an instance that is gone needs nothing, and its interests are removed with it', async () => {
  const [here, there] = [await join(), await join()];
  here.interests.want('a', seen('one'));
  await here.interests.flush();
  await sql`update instances set seen_at = seen_at - 10000 where id = ${here.instance}`.execute(store);
  await there.members.heartbeat();
  expect(await there.interests.ofOthers(shards)).toEqual([]);
});

it('an instance that was removed while it was silent writes its pending interests, and rewrites all others on request', async () => {
  const [here, there] = [await join(), await join()];
  here.interests.want('a', seen('one'));
  await here.interests.flush();
  await sql`delete from instances where id = ${here.instance}`.execute(store);
  here.interests.want('b', seen('one'));
  await expect(here.interests.flush()).rejects.toMatchObject({ code: '23503' });
  await here.members.heartbeat();
  await here.interests.flush();
  expect(await there.interests.ofOthers(shards)).toMatchObject([{ ticketId: 'b' }]);
  here.interests.rewrite();
  await here.interests.flush();
  expect(await there.interests.ofOthers(shards)).toHaveLength(2);
});

it('a read since a time returns only interests that have changed since then', async () => {
  const [here, there] = [await join(), await join()];
  here.interests.want('a', seen('one'));
  await here.interests.flush();
  await sql`update interests set changed_at = changed_at - 60000`.execute(store);
  here.interests.want('b', seen('one'));
  await here.interests.flush();
  expect(await there.interests.ofOthers(shards, 1_000)).toMatchObject([{ ticketId: 'b' }]);
  expect(await there.interests.ofOthers(shards, 60_000)).toHaveLength(2);
});
