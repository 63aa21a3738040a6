import type { ExpressionBuilder } from 'kysely';
import { failpoint } from '../failpoint.ts';
import type { Store } from '../store/open.ts';
import type { OperationRow, Tables, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Grants } from '../tickets/grants.ts';
import type { TicketRecords } from '../tickets/ticket-records.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { createAccept } from './accept.ts';
import { createAttemptAges } from './attempt-ages.ts';
import { type SendEvent, transition } from './machine.ts';
import { recordOpened } from './opened.ts';
import { duplicateInFlight } from './duplicate-in-flight.ts';

/** What the service has of a send. `isAmbiguous`: something else at the service matched too. */
export interface Upstream {
  id: string;
  facts: TicketFacts | null;
  isAmbiguous?: boolean;
}

/** What is recorded of an attempt before its first byte is sent. */
export interface Attempt {
  /** Ids of the messages that were in the ticket already. */
  seenIds: readonly string[];
  /** This moment by the service's clock; null when not known. */
  startedThere: number | null;
  /** Its text carries the ref. */
  hasRef: boolean;
}

export interface LedgerDeps {
  store: Store;
  seal: Seal;
  grants: Pick<Grants, 'add'>;
  ticketRecords: Pick<TicketRecords, 'add'>;
  settleMs: number;
  /** How long one process may act on an operation alone: longer than a send can take. */
  leaseMs: number;
  tracer?: Pick<Tracer, 'remember'>;
  now: () => number;
  elapsed: () => number;
  random?: () => number;
}

/** The grant of the operation's current sender for its ticket. */
const rightTo = (selectFrom: ExpressionBuilder<Tables, 'operations'>['selectFrom']) =>
  selectFrom('grants')
    .select('grants.ticket_id')
    .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
    .whereRef('grants.subject_id', '=', 'operations.subject_id');

/**
 * The durable record of every send: one row per operation, one transaction per change. Every change raises the row's
 * fence and applies only to the fence that it was decided on: of several processes that change a row, the first wins.
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
  function outcome(row: OperationRow, event: SendEvent): Partial<OperationRow> | null {
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

  /** Applies an event; null when another process changed the row first or the event does not apply. */
  async function move(row: OperationRow, event: SendEvent): Promise<OperationRow | null> {
    const set = outcome(row, event);
    return (set && (await update(row, set).executeTakeFirst())) ?? null;
  }

  /** `ticketId` null: of tickets, whose id at the service is their ticket's id. */
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
      // As the unique index has it.
      .where('ticket_id', 'in', ticketId === null ? ids : [ticketId])
      .execute();
    return new Set(rows.map((row) => row.upstream_id!));
  }

  return {
    accept: createAccept(deps),

    /**
     * Leases an accepted operation for sending. Null when another process has changed it, when another operation of the
     * same ticket or a duplicate of this one is in flight, or when the sender has no grant for the ticket.
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
        // Only for tickets: equal messages are told apart by their ticket and their order in it.
        with_ref: row.kind === 'ticket' ? Number(attempt.hasRef) : null,
        lease_until: at + leaseMs,
      })
        .where(({ exists, not, selectFrom }) => not(exists(duplicateInFlight(selectFrom))))
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
     * Refuses a message whose sender has no grant for the ticket: the owner has claimed it, or it was never opened. Null
     * when there is a grant.
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

    /** Leases an operation in doubt; null when another process has changed it. */
    async take(row: OperationRow): Promise<OperationRow | null> {
      return (await update(row, { lease_until: now() + leaseMs }).executeTakeFirst()) ?? null;
    },

    /** The service has it. Null when that id belongs to another operation, or another process changed the row first. */
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
        const delivered = {
          upstream_id: upstream.id,
          ticket_id: ticketId,
          ambiguous: upstream.isAmbiguous ? 1 : 0,
        };
        const done = await update(row, { ...set, ...delivered }, trx).executeTakeFirst();
        if (done && upstream.facts) await recordOpened(deps, done, upstream.facts, trx);
        return done ?? null;
      });
    },

    move: (
      row: OperationRow,
      event: Exclude<SendEvent, { type: 'begin' | 'confirmed' | 'found' | 'revoked' }>,
    ) => move(row, event),

    /** Which of these ids of the service belong to operations already: ids of tickets, or of messages in one ticket. */
    claimedTickets: (ids: readonly string[]) => claimedIds('ticket', null, ids),
    claimedMessages: (ticketId: string, ids: readonly string[]) => claimedIds('message', ticketId, ids),

    /** The least time since the latest attempt began, by monotonic clocks. */
    attemptAgeMs,

    /**
     * Ends the leases taken before `beforeMs`, when all processes that took them are known to have ended. A lease that is
     * longer than possible was taken while the clock was ahead.
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
     * After the clock was set, or may have been: makes everything due that waits for a later time, and shortens leases to
     * the length of a new one. Any process may do so at any time.
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

    /** Gives up an operation that its customer has not decided about, and erases its text. */
    async expire(row: OperationRow, db: Store): Promise<void> {
      const set = row.due_at === null ? outcome(row, { type: 'given_up', reason: 'not_found' }) : null;
      if (set) await update(row, { ...set, payload_sealed: null }, db).execute();
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
