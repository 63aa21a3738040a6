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

/**
 * Removes up to `limit`; returns how many.
 * @param now Unix milliseconds
 */
export async function removeExpiredMarks(store: Store, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await store
    .deleteFrom('used_once')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('purpose', 'hash'),
        'in',
        selectFrom('used_once')
          .select(['purpose', 'hash'])
          .where('expires_at', '<=', now)
          .limit(limit)
          .$asTuple('purpose', 'hash'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
