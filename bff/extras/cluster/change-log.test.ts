import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../core/store/open.ts';
import { databaseOf, openTestStore } from '../../testing/store/test-store.ts';
import { type Change, createChangeLog } from './change-log.ts';

const change = (about: string): Change => ({ kind: 'operation', subjectId: 'ada', about });
const at = Date.UTC(2026, 0, 1);

let dataDir: string;
let store: Store;
let now: number;
beforeEach(async () => {
  dataDir = randomUUID();
  store = await openTestStore(dataDir);
  now = at;
});
afterEach(() => store.destroy());

const changeLogOf = (instance: string) => createChangeLog(store, instance, () => now);

it('changes are read once, in their order, by the other instances only', async () => {
  const [mine, theirs] = [changeLogOf('mine'), changeLogOf('theirs')];
  await mine.append(change('before'));
  const [cursor, own] = [await theirs.end(), await mine.end()];
  for (const about of ['one', 'two', 'three']) await mine.append(change(about));
  expect((await theirs.read(cursor)).changes).toEqual(['one', 'two', 'three'].map(change));
  expect(await theirs.read(cursor)).toEqual({ changes: [], isMore: false });
  expect((await mine.read(own)).changes).toEqual([]);
});

it('of two writers the later one waits for the commit of the earlier, so that a reader between them misses nothing', async () => {
  const [mine, theirs] = [changeLogOf('mine'), changeLogOf('theirs')];
  await mine.append(change('first'));
  const cursor = await theirs.end();
  const slow = new pg.Client({ connectionString: await databaseOf(dataDir) });
  await slow.connect();
  await slow.query('begin');
  const { rows } = await slow.query(
    'update outbox_shards set last_seq = last_seq + 1 returning shard, last_seq',
  );
  const { shard, last_seq } = rows[0];
  await slow.query(`insert into outbox values ($1, $2, 'operation', 'ada', 'slow', 'slow', 0)`, [
    shard,
    last_seq,
  ]);
  const later = mine.append(change('later'));
  for (let isWaiting = false; !isWaiting; await setImmediate()) {
    const found =
      await sql`select 1 from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0`.execute(store);
    isWaiting = found.rows.length > 0;
  }
  expect((await theirs.read(cursor)).changes).toEqual([]);
  await slow.query('commit');
  await later;
  expect((await theirs.read(cursor)).changes.map(({ about }) => about)).toEqual(['slow', 'later']);
  await slow.end();
});

it('changes beyond the maximum of one read come with the next reads', async () => {
  const [mine, theirs] = [changeLogOf('mine'), changeLogOf('theirs')];
  const cursor = await theirs.end();
  for (let nth = 0; nth < 502; nth += 1) await mine.append(change(String(nth)));
  const first = await theirs.read(cursor);
  expect([first.changes.length, first.isMore]).toEqual([500, true]);
  const second = await theirs.read(cursor);
  expect([second.changes.length, second.isMore]).toEqual([2, false]);
});

it('old changes are removed, a few at a time', async () => {
  const changeLog = changeLogOf('mine');
  const cursor = await changeLogOf('theirs').end();
  for (const about of ['one', 'two', 'three']) await changeLog.append(change(about));
  now += 1;
  await changeLog.append(change('new'));
  expect(await changeLog.removeBefore(now, 2)).toBe(2);
  expect(await changeLog.removeBefore(now, 2)).toBe(1);
  expect((await changeLogOf('theirs').read(cursor)).changes).toEqual([change('new')]);
});
