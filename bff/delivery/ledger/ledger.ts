import type { Store } from '../../store/open.ts';
import { isDuplicate } from '../../store/errors.ts';
import { inTransaction } from '../../store/statements/transaction.ts';
import type { OperationRow, TicketFacts } from '../../store/schema.ts';
import type { Seal } from '../../store/seal.ts';
import type { Grants } from '../../tickets/grants.ts';
import type { TicketRecords } from '../../tickets/ticket-records.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import { createAccept } from './accept.ts';
import { type Attempt, createAttempts, type LeasedOperation } from './attempts.ts';
import { type SendEvent, transition } from './machine.ts';
import { createRecordOpened, type OpenedNotices } from './opened.ts';
import { createOperationChanges } from './operation-changes.ts';
import { createLedgerStatements, type Outcome } from './statements.ts';

/** The service's record of a send. `isAmbiguous`: another text at the service matched too. */
export interface Upstream {
  id: string;
  facts: TicketFacts | null;
  isAmbiguous?: boolean;
}

export interface LedgerDeps {
  store: Store;
  seal: Seal;
  grants: Pick<Grants, 'addingOpened'>;
  ticketRecords: Pick<TicketRecords, 'adding'>;
  notices?: OpenedNotices;
  settleMs: number;
  /** How long one process may act on an operation alone. Must be longer than a send can take. */
  leaseMs: number;
  tracer?: Pick<Tracer, 'remember'>;
  now: () => number;
  elapsed: () => number;
  random?: () => number;
}

/** Treats a duplicate as no row: another process has changed the row since the statement read it. */
function noneWhereDuplicate(error: unknown): [] {
  if (isDuplicate(error)) return [];
  throw error;
}

/**
 * The durable record of every send: one row per operation, one transaction per change. Every change raises the row's
 * fence, and applies only while the row still has the fence that the change was decided on. When several processes
 * change a row, the first wins.
 */
export function createLedger(deps: LedgerDeps) {
  const { store, settleMs, leaseMs, now, random = Math.random } = deps;
  const attempts = createAttempts(deps);

  const statements = createLedgerStatements(store);
  const recordOpened = createRecordOpened({ ...deps, operationChanges: createOperationChanges({ now }) });
  const changed = ({ id, fence }: OperationRow, set: Outcome) => ({ id, fence, lease_until: null, ...set });

  /** The new values of the row. Null when the event does not apply. */
  function outcome(row: OperationRow, event: SendEvent): Outcome | null {
    const { state, attempts: number, created_at: createdAt } = row;
    const at = now();
    const attemptAgeMs = attempts.ageMs(row);
    const timing = { now: at, settleMs, random: random() };
    const to = transition({ state, attempts: number, createdAt, attemptAgeMs }, event, timing);
    if (!to) return null;
    const isFinal = to.state === 'done' || to.state === 'rejected';
    return {
      state: to.state,
      due_at: to.dueAt,
      error: to.error,
      attempt_age_ms: attemptAgeMs,
      finished_at: isFinal ? at : null,
    };
  }

  /** Applies an event; null when another process changed the row first or the event does not apply. */
  async function move(row: OperationRow, event: SendEvent): Promise<OperationRow | null> {
    const set = outcome(row, event);
    return (set && (await statements.move(store, changed(row, set)))[0]) ?? null;
  }

  /** `ticketId` is null for tickets, whose `upstream_id` is their own ticket id. */
  async function claimedIds(
    kind: OperationRow['kind'],
    ticketId: string | null,
    ids: readonly string[],
  ): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await store
      .selectFrom('operations')
      .select('upstream_id')
      .where('kind', '=', kind)
      .where('upstream_id', 'in', ids)
      // Matches the unique index.
      .where('ticket_id', 'in', ticketId === null ? ids : [ticketId])
      .execute();
    return new Set(rows.map((row) => row.upstream_id!));
  }

  return {
    accept: createAccept(deps),

    /**
     * Leases an accepted operation for sending. Null when another process has changed it, or it may not be sent now:
     * an earlier operation of its ticket must be sent first, a duplicate is in flight, or the sender has no grant for
     * the ticket.
     */
    async begin(row: OperationRow, attempt: Attempt): Promise<LeasedOperation | null> {
      const set = outcome(row, { type: 'begin' });
      if (!set) return null;
      const { columns, toLeased } = attempts.next(row, attempt);
      const update = statements.begin(store, { ...changed(row, set), ...columns });
      const [written] = await update.catch(noneWhereDuplicate);
      return written ? toLeased(written) : null;
    },

    /**
     * Refuses a message whose sender has no grant for the ticket, because the owner has claimed it or it was never
     * opened. Null when there is a grant.
     */
    async revoke(row: OperationRow): Promise<OperationRow | null> {
      const set = outcome(row, { type: 'revoked' });
      return (set && (await statements.revoke(store, changed(row, set)))[0]) ?? null;
    },

    /** Leases an operation in doubt; null when another process has changed it. */
    async lease(row: OperationRow): Promise<OperationRow | null> {
      const { id, fence } = row;
      return (await statements.lease(store, { id, fence, lease_until: now() + leaseMs }))[0] ?? null;
    },

    /**
     * Records that the service has the send. Null when that id belongs to another operation, or another process
     * changed the row first.
     */
    async complete(
      row: OperationRow,
      type: 'confirmed' | 'found',
      upstream: Upstream,
    ): Promise<OperationRow | null> {
      const set = outcome(row, { type });
      if (!set) return null;
      const ticketId = row.kind === 'ticket' ? upstream.id : row.ticket_id!;
      const { facts, isAmbiguous } = upstream;
      const complete = (db: Store) =>
        statements.complete(db, {
          ...changed(row, set),
          upstream_id: upstream.id,
          ticket_id: ticketId,
          ambiguous: isAmbiguous ? 1 : 0,
        });
      if (!facts) return (await complete(store).catch(noneWhereDuplicate))[0] ?? null;
      return inTransaction(store, async (trx) => {
        const [done] = await complete(trx);
        if (done) await recordOpened(done, facts, trx);
        return done ?? null;
      });
    },

    move: (
      row: OperationRow,
      event: Exclude<SendEvent, { type: 'begin' | 'confirmed' | 'found' | 'revoked' }>,
    ) => move(row, event),

    /** Which of these service ids already belong to operations: ids of tickets, or of messages in one ticket. */
    claimedTickets: (ids: readonly string[]) => claimedIds('ticket', null, ids),
    claimedMessages: (ticketId: string, ids: readonly string[]) => claimedIds('message', ticketId, ids),

    /** The minimum age of the latest attempt, by monotonic clocks. */
    attemptAgeMs: attempts.ageMs,

    /**
     * Ends the leases taken before `beforeMs`. To be called when all processes that took them are known to have
     * ended. A lease longer than the maximum was taken while the clock was ahead, and ends too.
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
     * To be called after the clock may have been set. Makes everything due that waits for a later time, and shortens
     * leases to the length of a new one. Any process may call it at any time.
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
      if (set) await statements.expire(db, { ...changed(row, set), payload_sealed: null });
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;
