import type { ExpressionBuilder } from 'kysely';
import { failpoint } from '../failpoint.ts';
import type { Store } from '../store/open.ts';
import type { OperationRow, Tables, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { recordOpened } from '../tickets/opened.ts';
import { createAccept } from './accept.ts';
import { createAttemptAges } from './attempt-ages.ts';
import { type Event, transition } from './machine.ts';
import { twinUnderway } from './twins.ts';

/** What the service holds of a send. `isAmbiguous`: something else there could have been it, too. */
export interface Upstream {
  id: string;
  facts: TicketFacts | null;
  isAmbiguous?: boolean;
}

/** What is written down of an attempt before its first byte. */
export interface Attempt {
  /** Ids of the messages that were in the ticket before. */
  seenIds: readonly string[];
  /** This moment by the service's clock; null when not known. */
  startedThere: number | null;
  /** Its text carries the ref. */
  hasRef: boolean;
}

export interface LedgerDeps {
  store: Store;
  seal: Seal;
  settleMs: number;
  /** How long one process may act on an operation alone: longer than a send can take. */
  leaseMs: number;
  now: () => number;
  elapsed: () => number;
  random?: () => number;
}

const keepTextMs = 24 * 3_600_000;

/** The right to the operation's ticket of whoever the operation belongs to by now. */
const rightTo = (selectFrom: ExpressionBuilder<Tables, 'operations'>['selectFrom']) =>
  selectFrom('grants')
    .select('grants.ticket_id')
    .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
    .whereRef('grants.subject_id', '=', 'operations.subject_id');

/**
 * The durable record of every send: one row an operation, each change one transaction. Of several processes that change
 * the same row, the first wins: every change raises the row's fence, and needs the fence that it was decided on.
 */
export function createLedger(deps: LedgerDeps) {
  const { store, settleMs, leaseMs, now, elapsed, random = Math.random } = deps;
  const attemptAgeMs = createAttemptAges(elapsed);

  const update = (row: OperationRow, set: Partial<OperationRow>, db = store) =>
    db
      .updateTable('operations')
      .set({ lease_until: null, ...set, fence: row.fence + 1 })
      .where('id', '=', row.id)
      .where('fence', '=', row.fence)
      .returningAll();

  /** What becomes of the row; null when the event does not apply. */
  function outcome(row: OperationRow, event: Event): Partial<OperationRow> | null {
    const { state, attempts, created_at: createdAt } = row;
    const at = now();
    const ageMs = attemptAgeMs(row);
    const timing = { now: at, settleMs, random: random() };
    const to = transition({ state, attempts, createdAt, attemptAgeMs: ageMs }, event, timing);
    if (!to) return null;
    const isFinal = to.state === 'done' || to.state === 'rejected';
    return {
      state: to.state,
      due_at: to.dueAt,
      error: to.error,
      attempt_age_ms: ageMs,
      finished_at: isFinal ? at : null,
    };
  }

  /** Moves an operation; null when another hand moved it first or the event does not apply. */
  async function move(row: OperationRow, event: Event): Promise<OperationRow | null> {
    const set = outcome(row, event);
    return (set && (await update(row, set).executeTakeFirst())) ?? null;
  }

  async function claimedIds(
    kind: OperationRow['kind'],
    ticketId: string | null,
    ids: readonly string[],
    db = store,
  ): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await db
      .selectFrom('operations')
      .select('upstream_id')
      .where('kind', '=', kind)
      .where('upstream_id', 'in', ids)
      .$if(ticketId !== null, (query) => query.where('ticket_id', '=', ticketId))
      .execute();
    return new Set(rows.map((row) => row.upstream_id!));
  }

  return {
    accept: createAccept(deps),

    /**
     * Takes an accepted operation for sending, under a lease. Null when another hand has taken it, sends another one to
     * the same ticket or a twin of it, or when the sender does not hold the ticket.
     */
    async begin(row: OperationRow, attempt: Attempt): Promise<OperationRow | null> {
      const set = outcome(row, { type: 'begin' });
      if (!set) return null;
      const at = now();
      const begun = await update(row, {
        ...set,
        attempts: row.attempts + 1,
        started_at: at,
        started_there: attempt.startedThere,
        attempt_age_ms: 0,
        seen_ids: JSON.stringify(attempt.seenIds),
        // Of tickets only: messages of the same words are told apart by their ticket, and their order in it.
        with_ref: row.kind === 'ticket' ? Number(attempt.hasRef) : null,
        lease_until: at + leaseMs,
      })
        .where(({ exists, not, selectFrom }) => not(exists(twinUnderway(selectFrom))))
        .where(({ eb, exists, or, selectFrom }) =>
          or([eb('kind', '=', 'ticket'), exists(rightTo(selectFrom))]),
        )
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('operations as other')
                .select('other.id')
                .where('other.ticket_id', '=', row.ticket_id)
                .where('other.state', '=', 'sending'),
            ),
          ),
        )
        .executeTakeFirst();
      failpoint('sending');
      if (!begun) return null;
      attemptAgeMs(begun);
      return begun;
    },

    /**
     * Refuses a message whose sender does not hold its ticket: the owner has claimed it, or it never came to be. Null
     * when they do.
     */
    async revoke(row: OperationRow): Promise<OperationRow | null> {
      const set = outcome(row, { type: 'revoked' });
      if (!set) return null;
      const revoked = await update(row, set)
        .where('kind', '=', 'message')
        .where(({ exists, not, selectFrom }) => not(exists(rightTo(selectFrom))))
        .executeTakeFirst();
      return revoked ?? null;
    },

    /** Takes an operation for looking after it, under a lease; null when another hand has. */
    async take(row: OperationRow): Promise<OperationRow | null> {
      return (await update(row, { lease_until: now() + leaseMs }).executeTakeFirst()) ?? null;
    },

    /** The service has it. Null when another operation claims that id already, or another hand moved the row first. */
    async complete(
      row: OperationRow,
      type: 'confirmed' | 'found',
      upstream: Upstream,
    ): Promise<OperationRow | null> {
      return store.transaction().execute(async (trx) => {
        const ticketId = row.kind === 'ticket' ? upstream.id : row.ticket_id!;
        const isClaimed = (await claimedIds(row.kind, ticketId, [upstream.id], trx)).size > 0;
        const set = isClaimed ? null : outcome(row, { type });
        if (!set) return null;
        const held = {
          upstream_id: upstream.id,
          ticket_id: ticketId,
          ambiguous: upstream.isAmbiguous ? 1 : 0,
        };
        const done = await update(row, { ...set, ...held }, trx).executeTakeFirst();
        if (done && upstream.facts) await recordOpened(deps, trx, done, upstream.facts);
        return done ?? null;
      });
    },

    move: (row: OperationRow, event: Exclude<Event, { type: 'begin' | 'confirmed' | 'found' | 'revoked' }>) =>
      move(row, event),

    /** Which of these ids of the service operations hold already: of tickets, or of messages in one. */
    claimedTickets: (ids: readonly string[]) => claimedIds('ticket', null, ids),
    claimedMessages: (ticketId: string, ids: readonly string[]) => claimedIds('message', ticketId, ids),

    /** How long ago the latest attempt of this send began, at least, by clocks that nobody can set. */
    attemptAgeMs,

    /**
     * Ends the leases taken before `beforeMs`: of processes that are known to have been gone by then. One that is longer
     * than a lease can be was taken when the clock was ahead.
     */
    async release(beforeMs: number): Promise<void> {
      await store
        .updateTable('operations')
        .set({ lease_until: null })
        .where(({ eb, or }) =>
          or([eb('lease_until', '<=', beforeMs + leaseMs), eb('lease_until', '>', now() + leaseMs)]),
        )
        .execute();
    },

    /**
     * For a clock that was set, or may have been while no process watched: what waits for a later time is due at once,
     * and no lease lasts longer than one that is taken now. Any process may do so at any time.
     */
    async bringForward(): Promise<void> {
      const at = now();
      await store.updateTable('operations').set({ due_at: at }).where('due_at', '>', at).execute();
      await store
        .updateTable('operations')
        .set({ lease_until: at + leaseMs })
        .where('lease_until', '>', at + leaseMs)
        .execute();
    },

    /** Forgets the texts of what was delivered over a day ago. */
    async eraseDelivered(): Promise<void> {
      await store
        .updateTable('operations')
        .set({ payload_sealed: null })
        .where('payload_sealed', 'is not', null)
        .where('state', '=', 'done')
        .where('finished_at', '<', now() - keepTextMs)
        .execute();
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
