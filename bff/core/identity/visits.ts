import type { Store } from '../store/open.ts';

/** When a browser last acted for a subject, in Unix milliseconds. */
export interface Visit {
  id: string;
  visitedAt: number;
}

/** Before every visit. */
export const noVisit: Visit = { id: '', visitedAt: -1 };

/**
 * Up to `limit` subjects whose last visit was at `before` or earlier, behind `after` in the order of visits. Some of them
 * may have live sessions.
 */
export async function findUnvisited(
  store: Store,
  before: number,
  after: Visit,
  limit: number,
): Promise<Visit[]> {
  const rows = await store
    .selectFrom('subjects')
    .select(['id', 'visited_at'])
    .where('visited_at', '<=', before)
    .where('created_at', '<=', before)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple('visited_at', 'id'), '>', tuple(after.visitedAt, after.id)),
    )
    .orderBy('visited_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, visitedAt: row.visited_at }));
}
