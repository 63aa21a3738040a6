import type { Store } from '../open.ts';

/** Records that the ticket service at `url` has answered like a v1 service. */
export const createServiceRecord = (store: Store, url: string, now: () => number) => ({
  async isKnown(): Promise<boolean> {
    return !!(await store.selectFrom('services').select('url').where('url', '=', url).executeTakeFirst());
  },
  async remember(): Promise<void> {
    await store
      .insertInto('services')
      .values({ url, known_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
});
