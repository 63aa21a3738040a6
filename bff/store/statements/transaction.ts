import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { codeOf } from '../errors.ts';
import type { Store } from '../open.ts';
import type { Tables } from '../schema.ts';

/** Two transactions waited for each other, changed the same, or made the same: PostgreSQL has ended one of them. */
const endedByAnother = new Set(['40001', '40P01', '23505']);
const maxAttempts = 5;
const maxPauseMs = 50;

/**
 * Runs `work` in one transaction: all of it or nothing. It runs again when PostgreSQL has aborted it in favour of
 * another transaction, so it must change only the store.
 */
export async function inTransaction<Result>(
  store: Store,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.transaction().execute(work);
    } catch (error) {
      if (!endedByAnother.has(codeOf(error)) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * maxPauseMs);
    }
  }
}

/**
 * In a transaction: waits until no other one holds these tickets, and holds them until the end. Callers that change the
 * holders of a ticket must call it first. SQLite has one writer, so nothing is needed there.
 */
export async function lockTickets(ticketIds: readonly string[], trx: Kysely<Tables>): Promise<void> {
  if (ticketIds.length === 0 || !isPostgres(trx)) return;
  // In one order, so that two that lock the same tickets do not wait for each other.
  await trx
    .selectFrom('tickets')
    .select('id')
    .where('id', 'in', [...ticketIds])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Of a row that a statement reads to decide: nobody changes or removes it until the statement is done. */
export const keptWhileDecided = <Query extends { forShare(): Query }>(query: Query, db: Store): Query =>
  isPostgres(db) ? query.forShare() : query;
