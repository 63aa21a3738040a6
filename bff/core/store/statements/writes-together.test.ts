import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isOnPostgres, openTestStore } from '../../../testing/store/test-store.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { Store } from '../open.ts';
import { prepareWrite } from './writes-together.ts';

const metrics = createMetrics();
let store: Store;
beforeEach(async () => {
  store = await openTestStore(undefined, metrics);
  for (const id of ['a', 'b', 'c'])
    await store.insertInto('subjects').values({ id, verified: 0, created_at: 0 }).execute();
});
afterEach(() => store.destroy());

it('writes of one turn of the event loop are one statement, and one more whenever a row is written again', async () => {
  const visit = prepareWrite(store, ({ id, visited_at }: { id: string; visited_at: number }) =>
    store
      .updateTable('subjects')
      .set({ visited_at })
      .where('id', '=', id)
      .where('visited_at', '<', 4)
      .returningAll(),
  );
  const observed = vi.spyOn(metrics.statementDurations, 'observe');
  const asked = ['a', 'b', 'a', 'none', 'c', 'b', 'a'].map((id, nth) =>
    visit(store, { id, visited_at: nth }),
  );
  const written = await Promise.all(asked);
  expect(written.map((row) => row && [row.id, row.visited_at])).toEqual([
    ['a', 0],
    ['b', 1],
    ['a', 2],
    undefined,
    ['c', 4],
    ['b', 5],
    ['a', 6],
  ]);
  expect(observed).toHaveBeenCalledTimes(isOnPostgres ? 3 : 7);
});
