import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { countByParts, type RowRange } from './count.ts';
import { openStore, type Store } from '../open.ts';
import { coreSchema } from '../migrations.ts';

let store: Store;
beforeEach(async () => {
  store = await openStore('memory', coreSchema);
});
afterEach(() => store.destroy());

const addMarks = (from: number, count: number) =>
  sql`
    WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${from + count})
    INSERT INTO used_once SELECT 'test', i, 0 FROM n
  `.execute(store);

function setUp() {
  const clock = { ms: 0 };
  const ofPart = vi.fn<(rows: RowRange) => Promise<number>>(async ({ after, upTo }) => {
    clock.ms += 1;
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM used_once WHERE rowid > ${after} AND rowid <= ${upTo}
    `.execute(store);
    return rows[0]!.n;
  });
  const count = countByParts(
    { store, table: 'used_once', elapsed: () => clock.ms },
    ofPart,
    (sum, n) => sum + n,
  );
  return { clock, ofPart, count };
}

it('a small table is counted at each call', async () => {
  const { count } = setUp();
  expect(await count()).toBe(0);
  await addMarks(0, 3);
  expect(await count()).toBe(3);
});

it('a large table is counted in parts, each row once, and lets other work go first in between', async () => {
  await addMarks(0, 7_001);
  const { count, ofPart } = setUp();
  let turns = 0;
  const other = setInterval(() => (turns += 1));
  setImmediate(() => (turns += 1));
  expect(await count()).toBe(7_001);
  clearInterval(other);
  expect(ofPart).toHaveBeenCalledTimes(4);
  expect(turns).toBeGreaterThan(0);
});

it('the count of a large table is used for a while, then made anew, and calls meanwhile get the same', async () => {
  await addMarks(0, 7_000);
  const { clock, count, ofPart } = setUp();
  expect(await Promise.all([count(), count()])).toEqual([7_000, 7_000]);
  await addMarks(7_000, 10);
  expect(await count()).toBe(7_000);
  expect(ofPart).toHaveBeenCalledTimes(4);
  clock.ms += 4 * 50;
  expect(await count()).toBe(7_010);
});
