import type { ExpressionBuilder } from 'kysely';
import type { Store } from '../store/open.ts';
import type { Tables } from '../store/schema.ts';

/** A subject is created a moment before its first session. */
const newSubjectMs = 3_600_000;

type UnusedCheck = ExpressionBuilder<Tables, 'subjects'>;

export const hasNo = (
  { exists, not, selectFrom }: UnusedCheck,
  table: 'sessions' | 'grants' | 'operations',
) =>
  not(
    exists(
      selectFrom(table).select(`${table}.subject_id`).whereRef(`${table}.subject_id`, '=', 'subjects.id'),
    ),
  );

const isOfferedNothing = ({ exists, not, selectFrom }: UnusedCheck) =>
  not(exists(selectFrom('transfers').select('to_subject').whereRef('to_subject', '=', 'subjects.id')));

/** The ids of subjects whose last visit was at `before` or earlier. Reads `limit` at a time. Some may have live sessions. */
export async function* unvisited(store: Store, before: number, limit: number): AsyncGenerator<string> {
  let last = { visited_at: -1, id: '' };
  for (;;) {
    const { visited_at, id } = last;
    const rows = await store
      .selectFrom('subjects')
      .select(['id', 'visited_at'])
      .where('visited_at', '<=', before)
      .where('created_at', '<=', before)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('visited_at', 'id'), '>', tuple(visited_at, id)))
      .orderBy('visited_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    for (const row of rows) yield row.id;
    if (rows.length < limit) return;
    last = rows.at(-1)!;
  }
}

/** Removes the subjects without sessions, grants, sends and offers. Checks `limit` subjects between two yields. */
export async function* removeUnused(store: Store, limit: number, now: () => number): AsyncGenerator<void> {
  let after = '';
  for (;;) {
    const ids = await store
      .selectFrom('subjects')
      .select('id')
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute();
    const last = ids.at(-1);
    if (!last) return;
    await store
      .deleteFrom('subjects')
      .where('id', '>', after)
      .where('id', '<=', last.id)
      .where('created_at', '<', now() - newSubjectMs)
      .where((query) =>
        query.and([
          hasNo(query, 'sessions'),
          hasNo(query, 'grants'),
          hasNo(query, 'operations'),
          isOfferedNothing(query),
        ]),
      )
      .execute();
    yield;
    after = last.id;
  }
}
