import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { codeOf } from '../errors.ts';
import type { Store } from '../open.ts';
import type { Tables } from '../schema.ts';

/**
 * PostgreSQL has aborted a transaction because of another one: they waited for each other, or changed or inserted the
 * same row.
 */
const endedByAnother = new Set(['40001', '40P01', '23505']);
const maxAttempts = 5;
const maxPauseMs = 50;

/**
 * Runs `work` in one transaction: all of it or nothing. It runs again when PostgreSQL has aborted it in favour of
 * another transaction, so it must change only the store. On SQLite everything else on the store waits until it ends,
 * so `work` must wait for statements on `trx` only.
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
 * Must run in a transaction. Waits until no other transaction has locked these tickets, and locks them until the
 * transaction ends. Callers that change the holders of a ticket must call it first. SQLite has one writer, so nothing
 * is needed there.
 */
export async function lockTickets(ticketIds: readonly string[], trx: Kysely<Tables>): Promise<void> {
  if (ticketIds.length === 0 || !isPostgres(trx)) return;
  // Always in the same order, so that two transactions that lock the same tickets do not deadlock.
  await trx
    .selectFrom('tickets')
    .select('id')
    .where('id', 'in', [...ticketIds])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Locks a row that a statement reads for a decision. Nobody changes or removes the row until the statement is done. */
export const lockForShare = <Query extends { forShare(): Query }>(query: Query, db: Store): Query =>
  isPostgres(db) ? query.forShare() : query;
