import type { Kysely } from 'kysely';
import { required, type Schema } from '../../core/store/migrations.ts';

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
