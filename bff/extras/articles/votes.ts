import { type Kysely, sql } from 'kysely';
import { isoTime } from '../../core/clock.ts';
import { required, type Schema } from '../../core/store/migrations.ts';
import type { Core } from '../../core/wiring.ts';
import { bounds } from './bounds.ts';

/* Answers to "Did this help?": their table, and all statements about it. */

declare module '../../core/store/schema.ts' {
  interface Tables {
    article_votes: ArticleVoteTable;
  }
}

/** Answers of customers whether an article helped, counted by day. */
interface ArticleVoteTable {
  article: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  helped: number;
  not_helped: number;
}

export const articleSchema: Schema = {
  migrations: { 'extra-articles-1': { up: createTables } },
  keys: { article_votes: ['article', 'day'] },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('article_votes')
    .$call((table) => required(table, 'text', ['article', 'day']))
    .$call((table) => required(table, 'integer', ['helped', 'not_helped']))
    .addPrimaryKeyConstraint('article_votes_pk', ['article', 'day'])
    .execute();
  await db.schema.createIndex('article_votes_by_day').on('article_votes').column('day').execute();
}

const dayMs = 86_400_000;
const dayOf = (ms: number) => isoTime(ms).slice(0, 10);

/** Counts the answers per article and day. Nothing about the voter is kept. */
export function createVotes({ store, now }: Pick<Core, 'store' | 'now'>) {
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
    async counts(): Promise<{ article: string; helped: number; notHelped: number }[]> {
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
