import type { Store } from './open.ts';
import type { Tables } from './schema.ts';

/**
 * Marks something as used; false when it was used before. Remembered at least until `expiresAt` (Unix milliseconds),
 * after which it must be refused for its age.
 */
export async function consumeOnce(
  store: Store,
  purpose: Tables['used_once']['purpose'],
  hash: string,
  expiresAt: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await store
    .insertInto('used_once')
    .values({ purpose, hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** @param now Unix milliseconds */
export async function removeExpiredMarks(store: Store, now: number): Promise<void> {
  await store.deleteFrom('used_once').where('expires_at', '<=', now).execute();
}
