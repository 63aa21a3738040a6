import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../open.ts';
import { openTestStore } from '../../../testing/store/test-store.ts';
import { prepare } from './prepared.ts';

let store: Store;

beforeEach(async () => {
  store = await openTestStore();
  for (const [url, known_at] of [
    ['http://a.test', 1],
    ['http://b.test', 2],
  ] as const)
    await store.insertInto('services').values({ url, known_at }).execute();
});
afterEach(() => store.destroy());

describe('a prepared query', () => {
  it('is built once, and runs with the values of each call', async () => {
    let built = 0;
    const services = prepare(({ url, least }: { url: string; least: number }) => {
      built += 1;
      return store.selectFrom('services').selectAll().where('url', '=', url).where('known_at', '>=', least);
    });
    expect(await services(store, { url: 'http://a.test', least: 1 })).toEqual([
      { url: 'http://a.test', known_at: 1 },
    ]);
    expect(await services(store, { url: 'http://b.test', least: 0 })).toHaveLength(1);
    expect(await services(store, { url: 'http://b.test', least: 3 })).toEqual([]);
    expect(built).toBe(1);
  });

  it('sees the rows of the transaction that it runs in', async () => {
    const all = prepare(() => store.selectFrom('services').select('url'));
    await store.transaction().execute(async (trx) => {
      await trx.deleteFrom('services').execute();
      expect(await all(trx, {})).toEqual([]);
    });
    expect(await all(store, {})).toEqual([]);
  });

  it('keeps values that the query itself gives', async () => {
    const fixed = prepare(({ url }: { url: string }) =>
      store.selectFrom('services').select('known_at').where('known_at', '=', 2).where('url', '=', url),
    );
    expect(await fixed(store, { url: 'http://b.test' })).toEqual([{ known_at: 2 }]);
    expect(await fixed(store, { url: 'http://a.test' })).toEqual([]);
  });

  it('has its own constants in its text, and the values of a call as parameters', () => {
    const some = prepare(({ url }: { url: string }) =>
      store
        .selectFrom('services')
        .select('known_at')
        .where('known_at', 'in', [1, 2])
        .where('url', '!=', "it's none")
        .where('url', '=', url),
    );
    const { sql, parameters } = some.of({ url: "it's one" });
    expect(sql).toMatch(/in \(1, 2\) and "url" != 'it''s none' and "url" = (\?|\$1)$/);
    expect(parameters).toEqual(["it's one"]);
  });
});
