import { sql } from 'kysely';
import type { Store } from '../../core/store/open.ts';
import { bounds } from './bounds.ts';

const dayMs = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

export interface VoteCount {
  article: string;
  helped: number;
  notHelped: number;
}

/**
 * Answers to "Did this help?", counted per article and day. Nothing about the voter is kept.
 * @param deps.now Unix milliseconds
 */
export function createVotes({ store, now }: { store: Store; now: () => number }) {
  const oldest = () => dayOf(now() - bounds.voteDays * dayMs);

  return {
    async add(article: string, helped: boolean): Promise<void> {
      const column = helped ? 'helped' : 'not_helped';
      await store
        .insertInto('article_votes')
        .values({ article, day: dayOf(now()), helped: helped ? 1 : 0, not_helped: helped ? 0 : 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['article', 'day'])
            .doUpdateSet({ [column]: sql`${sql.ref(`article_votes.${column}`)} + 1` }),
        )
        .execute();
    },

    /** The votes that still count, the articles with most votes first. */
    async counts(): Promise<VoteCount[]> {
      const rows = await store
        .selectFrom('article_votes')
        .select(({ fn }) => ['article', fn.sum('helped').as('helped'), fn.sum('not_helped').as('not_helped')])
        .where('day', '>=', oldest())
        .groupBy('article')
        .execute();
      return rows
        .map(({ article, helped, not_helped }) => ({
          article,
          helped: Number(helped),
          notHelped: Number(not_helped),
        }))
        .toSorted(
          (a, b) => b.helped + b.notHelped - a.helped - a.notHelped || (a.article < b.article ? -1 : 1),
        );
    },

    /** Removes votes that no longer count. Returns the number of rows removed. */
    async removeOld(): Promise<number> {
      const { numDeletedRows } = await store
        .deleteFrom('article_votes')
        .where('day', '<', oldest())
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

export type Votes = ReturnType<typeof createVotes>;
