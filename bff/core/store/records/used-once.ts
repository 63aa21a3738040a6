import type { Store } from '../open.ts';
import type { Tables } from '../schema.ts';

/**
 * Marks a value as used. Returns false when it was used before. The mark is kept at least until `expiresAt` (Unix
 * milliseconds), after which the value must be refused for its age.
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
