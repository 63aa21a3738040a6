import type { Store } from './open.ts';

const hourMs = 3_600_000;

/**
 * Removes what has ended: sessions, codes, hand-offs, transfers, marks of things used once, and subjects without a trace.
 * @param now Unix milliseconds
 */
export async function prune(store: Store, now: number): Promise<void> {
  const ended = store
    .selectFrom('sessions')
    .select('id')
    .where(({ eb, fn, or, ref }) =>
      or([
        eb('expires_at', '<=', now),
        eb(fn.coalesce('seen_at', 'created_at'), '<=', eb(eb.val(now), '-', ref('idle_ms'))),
      ]),
    );
  await store.deleteFrom('sessions').where('id', 'in', ended).execute();
  for (const table of ['used_once', 'codes', 'handoffs', 'transfers'] as const)
    await store.deleteFrom(table).where('expires_at', '<=', now).execute();
  await store
    .deleteFrom('subjects')
    // A new one gets its session in the next moment.
    .where('created_at', '<', now - hourMs)
    .where(({ and, exists, not, selectFrom }) =>
      and([
        ...(['sessions', 'grants', 'operations'] as const).map((table) =>
          not(
            exists(
              selectFrom(table)
                .select(`${table}.subject_id`)
                .whereRef(`${table}.subject_id`, '=', 'subjects.id'),
            ),
          ),
        ),
        not(exists(selectFrom('transfers').select('to_subject').whereRef('to_subject', '=', 'subjects.id'))),
      ]),
    )
    .execute();
}
