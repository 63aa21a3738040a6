import type { Generated, Kysely } from 'kysely';
import { optional, required, type Schema, zero } from '../../core/store/migrations.ts';

declare module '../../core/store/schema.ts' {
  interface Tables {
    ratings: RatingTable;
  }
  interface SealedColumns {
    'ratings.word': string;
  }
}

/** What a customer said of a ticket that they hold. It is deleted with their grant. */
interface RatingTable {
  subject_id: string;
  ticket_id: string;
  /** 1 for yes, 0 for not yet. */
  solved: number | null;
  score: number | null;
  word_sealed: string | null;
  rated_at: number;
  /** The known number of agents' messages at that time. */
  answers: number;
  /** A new one with each change. Names a delivery to `RATING_HOOK`. */
  version: string;
  /** When it is sent to `RATING_HOOK` next. Null: not at all, or it has it. */
  hook_at: number | null;
  hook_attempts: Generated<number>;
}

export const ratingSchema: Schema = {
  migrations: { 'extra-ratings-1': { up: createTables } },
  keys: { ratings: ['subject_id', 'ticket_id'] },
};

async function createTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ratings')
    .$call((table) => required(table, 'text', ['subject_id', 'ticket_id', 'version']))
    .$call((table) => optional(table, 'integer', ['solved', 'score']))
    .$call((table) => optional(table, 'text', ['word_sealed']))
    .$call((table) => required(table, 'bigint', ['rated_at']))
    .$call((table) => required(table, 'integer', ['answers']))
    .$call((table) => optional(table, 'bigint', ['hook_at']))
    .$call((table) => zero(table, ['hook_attempts']))
    .addPrimaryKeyConstraint('ratings_pk', ['subject_id', 'ticket_id'])
    .addForeignKeyConstraint(
      'ratings_grant',
      ['subject_id', 'ticket_id'],
      'grants',
      ['subject_id', 'ticket_id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('ratings_by_time').on('ratings').column('rated_at').execute();
  await db.schema
    .createIndex('ratings_by_hook_at')
    .on('ratings')
    .column('hook_at')
    .where('hook_at', 'is not', null)
    .execute();
}
