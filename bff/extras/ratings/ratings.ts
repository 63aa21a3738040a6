import type { Selectable } from 'kysely';
import type { Rating, RatingState, StoredRating } from '../../../shared/contract/ratings.ts';
import { isoTime } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import { newRowId, type Tables } from '../../core/store/schema.ts';
import { inTransaction } from '../../core/store/statements/transaction.ts';
import type { Store } from '../../core/store/open.ts';
import type { Grant } from '../../core/tickets/grants.ts';
import type { Core } from '../../core/wiring.ts';

/* All statements about ratings. */

type Row = Selectable<Tables['ratings']>;
type Held = Pick<Grant, 'subjectId' | 'ticketId'>;

/** A rating as the operator may see it. */
export interface ReadRating extends Omit<StoredRating, 'rated_at'> {
  ticketId: string;
  ticketNumber: number | null;
  ratedAt: number;
}

/** A rating that `RATING_HOOK` does not have yet. */
export interface DueRating extends ReadRating {
  version: string;
  dueAt: number;
  attempts: number;
}

/** What a rating changed. Null: nothing. */
export interface Change {
  solved: boolean | null;
  score: number | null;
}

const solvedOf = ({ solved }: Pick<Row, 'solved'>) => (solved === null ? null : solved === 1);

/**
 * @param hookDelayMs how long after a rating `RATING_HOOK` gets it; null where there is none
 */
export function createRatings(
  { store, seal, now }: Pick<Core, 'store' | 'seal' | 'now'>,
  hookDelayMs: number | null = null,
) {
  const wordOf = ({ word_sealed: word }: Pick<Row, 'word_sealed'>) =>
    word === null ? null : seal.open('ratings.word', word);

  const withTicket = () =>
    store
      .selectFrom('ratings')
      .innerJoin('tickets', 'tickets.id', 'ratings.ticket_id')
      .selectAll('ratings')
      .select('tickets.facts_sealed');

  const toRead = (row: Row & { facts_sealed: string }): ReadRating => ({
    ticketId: row.ticket_id,
    ticketNumber: seal.open('tickets.facts', row.facts_sealed)?.ticket_number ?? null,
    solved: solvedOf(row),
    score: row.score,
    word: wordOf(row),
    ratedAt: row.rated_at,
  });

  return {
    /**
     * Replaces what the customer said before of the ticket.
     * @throws {AppError} `not_found` when they have just lost it
     */
    async put({ subjectId, ticketId }: Held, { solved, score, word }: Rating): Promise<Change> {
      const said = {
        solved: solved === undefined ? null : Number(solved),
        score: score ?? null,
        word_sealed: word === undefined ? null : seal.seal('ratings.word', word),
        rated_at: now(),
        version: newRowId(),
        hook_at: hookDelayMs === null ? null : now() + hookDelayMs,
        hook_attempts: 0,
      };
      return inTransaction(store, async (trx) => {
        const held = await trx
          .selectFrom('grants')
          .innerJoin('tickets', 'tickets.id', 'grants.ticket_id')
          .leftJoin('ratings', (join) =>
            join
              .onRef('ratings.subject_id', '=', 'grants.subject_id')
              .onRef('ratings.ticket_id', '=', 'grants.ticket_id'),
          )
          .select(['tickets.agent_count', 'ratings.solved', 'ratings.score'])
          .where('grants.subject_id', '=', subjectId)
          .where('grants.ticket_id', '=', ticketId)
          .where('grants.colleague', '=', 0)
          .executeTakeFirst();
        if (!held) throw new AppError('not_found');
        const row = { ...said, answers: held.agent_count };
        await trx
          .insertInto('ratings')
          .values({ subject_id: subjectId, ticket_id: ticketId, ...row })
          .onConflict((conflict) => conflict.columns(['subject_id', 'ticket_id']).doUpdateSet(row))
          .execute();
        return {
          solved: said.solved === held.solved ? null : solvedOf(said),
          score: said.score === held.score ? null : said.score,
        };
      });
    },

    /** Whether this holder is asked about the ticket. */
    async stateOf({ subjectId, ticketId }: Held): Promise<RatingState> {
      const row = await store
        .selectFrom('ratings')
        .innerJoin('tickets', 'tickets.id', 'ratings.ticket_id')
        .select(['ratings.solved', 'ratings.answers', 'tickets.agent_count'])
        .where('subject_id', '=', subjectId)
        .where('ticket_id', '=', ticketId)
        .executeTakeFirst();
      if (!row) return 'ask';
      if (row.solved !== 0) return 'done';
      return row.agent_count > row.answers ? 'ask' : 'not_solved';
    },

    /** What a customer said, by ticket. */
    async ofSubject(subjectId: string): Promise<Map<string, StoredRating>> {
      const rows = await store
        .selectFrom('ratings')
        .selectAll()
        .where('subject_id', '=', subjectId)
        .execute();
      return new Map(
        rows.map((row) => [
          row.ticket_id,
          {
            solved: solvedOf(row),
            score: row.score,
            word: wordOf(row),
            rated_at: isoTime(row.rated_at),
          },
        ]),
      );
    },

    /** Copies what one subject said to another one that now holds the same tickets. */
    async copy(fromId: string, toId: string, db: Store): Promise<void> {
      const rows = await db
        .selectFrom('ratings')
        .innerJoin('grants', 'grants.ticket_id', 'ratings.ticket_id')
        .selectAll('ratings')
        .where('ratings.subject_id', '=', fromId)
        .where('grants.subject_id', '=', toId)
        .execute();
      for (const row of rows)
        await db
          .insertInto('ratings')
          .values({ ...row, subject_id: toId })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
    },

    /** How often each answer was given since then. */
    counts: (since: number) =>
      store
        .selectFrom('ratings')
        .select(({ fn }) => ['solved', 'score', fn.countAll<number>().as('count')])
        .where('rated_at', '>=', since)
        .groupBy(['solved', 'score'])
        .execute(),

    /** The newest ratings with a word since then. */
    async words(since: number, limit: number): Promise<ReadRating[]> {
      const rows = await withTicket()
        .where('rated_at', '>=', since)
        .where('word_sealed', 'is not', null)
        .orderBy('rated_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRead);
    },

    /** How many ratings `RATING_HOOK` has refused and will get again. */
    async countRefused(): Promise<number> {
      const counted = store
        .selectFrom('ratings')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('hook_at', 'is not', null)
        .where('hook_attempts', '>', 0);
      return (await counted.executeTakeFirstOrThrow()).count;
    },

    /** Up to `limit` ratings to be sent now, the longest due first. */
    async due(limit: number): Promise<DueRating[]> {
      const rows = await withTicket().where('hook_at', '<=', now()).orderBy('hook_at').limit(limit).execute();
      return rows.map((row) => ({
        ...toRead(row),
        version: row.version,
        dueAt: row.hook_at!,
        attempts: row.hook_attempts,
      }));
    },

    /** Puts the delivery off, before it is tried. False when another process has done so, or the rating has changed. */
    async putOff({ version, dueAt, attempts }: DueRating, ms: number): Promise<boolean> {
      const { numUpdatedRows } = await store
        .updateTable('ratings')
        .set({ hook_at: now() + ms, hook_attempts: attempts + 1 })
        .where('version', '=', version)
        .where('hook_at', '=', dueAt)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Records that `RATING_HOOK` has it. */
    async markSent({ version }: DueRating): Promise<void> {
      await store.updateTable('ratings').set({ hook_at: null }).where('version', '=', version).execute();
    },
  };
}

export type Ratings = ReturnType<typeof createRatings>;
