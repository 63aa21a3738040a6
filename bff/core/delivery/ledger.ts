import type { ExpressionBuilder, SelectQueryBuilder, UpdateObject } from 'kysely';
import { createCache } from '../cache.ts';
import { failpoint } from '../failpoint.ts';
import { isDuplicate } from '../store/errors.ts';
import type { Store } from '../store/open.ts';
import type { OperationRow, Tables, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { runInOneBatch, inTransaction } from '../store/statements/transaction.ts';
import { prepare } from '../store/statements/prepared.ts';
import { prepareWrite } from '../store/statements/writes-together.ts';
import { shareStatements } from '../store/statements/shared.ts';
import { listOf, lockForShare } from '../store/dialect.ts';
import type { Grants } from '../tickets/grants.ts';
import type { TicketRecords } from '../tickets/ticket-records.ts';
import type { Tracer } from '../tracer.ts';
import { duplicateInFlight, earlierOfTicket, notDone } from './due.ts';
import { type SendEvent, transition } from './machine.ts';
import { createRecord, pick, type RecordHook } from './record.ts';
import { createOperationChanges } from './changing-holders.ts';

/*
 * The durable record of every send: one row per operation. It makes the transitions of `machine.ts` durable, one
 * transaction per change. Every change raises the row's fence, and applies only while the row still has the fence that
 * the change was decided on. When several processes change a row, the first wins. It knows nothing of the service.
 */

/** What is recorded of an attempt before its first byte is sent. */
type Attempt = Pick<OperationRow, (typeof attemptColumns)[number]>;

/**
 * An operation that this process has claimed, and must send. `isProven`: its sender has proven the address that it
 * goes under. `leasedSince`: milliseconds of the monotonic clock.
 */
export type ClaimedOperation = OperationRow & { isProven: boolean; leasedSince: number };

/** The service's record of a send. `isAmbiguous`: another text at the service matched too. */
export interface Upstream {
  id: string;
  facts: TicketFacts | null;
  isAmbiguous?: boolean;
}

/** What may happen to a send, except its claim. */
export type LedgerEvent =
  | Exclude<SendEvent, { type: 'begin' | 'doubted' | 'found' }>
  | { type: 'found'; upstream: Upstream };

/** A part of the BFF that records something with each new ticket. */
export interface OpenedHook {
  /** Runs in the transaction `db` that records the ticket of `opening`, while its text is still there. */
  onOpened?(opening: OperationRow, db: Store): Promise<void>;
}

export interface LedgerDeps {
  store: Store;
  seal: Seal;
  grants: Pick<Grants, 'addingOpened'>;
  ticketRecords: Pick<TicketRecords, 'add'>;
  parts?: readonly (OpenedHook & RecordHook)[];
  settleMs: number;
  /** How long one process may act on an operation alone. Must be longer than a send can take. */
  leaseMs: number;
  tracer?: Pick<Tracer, 'remember'>;
  now: () => number;
  elapsed: () => number;
  random?: () => number;
}

type OperationsBuilder = ExpressionBuilder<Tables, 'operations'>;

/** Whether the operation opens a ticket, or its current sender has a grant for the ticket. */
const mayWrite = (eb: OperationsBuilder, db: Store) =>
  eb.or([
    eb('kind', '=', 'ticket'),
    eb.exists(
      lockForShare(
        eb
          .selectFrom('grants')
          .select('grants.ticket_id')
          .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
          .whereRef('grants.subject_id', '=', 'operations.subject_id')
          .where('grants.colleague', '=', 0),
        db,
      ),
    ),
  ]);

/** The operation's current sender, if they have proven the address that it is sent under. */
const provenSender = ({ selectFrom }: OperationsBuilder) =>
  selectFrom('subjects')
    .select('subjects.id')
    .whereRef('subjects.id', '=', 'operations.subject_id')
    .whereRef('subjects.address_hash', '=', 'operations.address_hash')
    .where('subjects.verified', '=', 1);

/** The operation that a service id belongs to. */
const ownerOf = ({ selectFrom }: OperationsBuilder, { ticket_id, upstream_id }: Completion) =>
  selectFrom('operations as owner')
    .select('owner.id')
    // Matches the unique index.
    .whereRef('owner.kind', '=', 'operations.kind')
    .where('owner.ticket_id', '=', ticket_id)
    .where('owner.upstream_id', '=', upstream_id);

/**
 * Whether a query finds nothing. PostgreSQL makes a join of `not exists`. For several rows at once it may choose one that
 * reads the whole table.
 */
const isNone = (eb: OperationsBuilder, query: SelectQueryBuilder<Tables, never, { id: string }>) =>
  eb(query.limit(1), 'is', null);

/** Treats a duplicate as no row: another process has changed the row since the statement read it. */
function nullWhereDuplicate(error: unknown): null {
  if (!isDuplicate(error)) throw error;
  return null;
}

/**
 * Changes the row as it was when the change was decided, and ends its lease unless `set` has another one. Nothing is
 * changed when another process was first.
 */
const change = (db: Store, { id, fence }: Fenced, set: UpdateObject<Tables, 'operations'>) =>
  db
    .updateTable('operations')
    .set(({ eb }) => ({ lease_until: null, ...set, fence: eb('fence', '+', 1) }))
    .where('id', '=', id)
    .where('fence', '=', fence)
    .returningAll();

const outcomeColumns = ['state', 'due_at', 'error', 'attempt_age_ms', 'finished_at'] as const;
const attemptColumns = ['seen_ids', 'started_there', 'with_ref'] as const;
const claimColumns = [...outcomeColumns, ...attemptColumns, 'lease_until', 'attempts', 'started_at'] as const;
const completionColumns = [...outcomeColumns, 'upstream_id', 'ticket_id', 'ambiguous'] as const;

/** The values that a transition gives a row. */
type Outcome = Pick<OperationRow, (typeof outcomeColumns)[number]>;
type Fenced = Pick<OperationRow, 'id' | 'fence'>;
type Claim = Fenced & Pick<OperationRow, (typeof claimColumns)[number]>;
type Completion = Fenced & Pick<OperationRow, (typeof completionColumns)[number]>;

/** The changes that sends make, each built once. */
function prepareChanges(store: Store) {
  const claim = prepareWrite(store, (row: Claim) =>
    change(store, row, pick(row, claimColumns))
      .where((eb) => isNone(eb, duplicateInFlight(eb.selectFrom)))
      .where((eb) => mayWrite(eb, store))
      .where((eb) => isNone(eb, earlierOfTicket(eb.selectFrom)))
      .returning((eb) => eb.exists(provenSender(eb)).as('is_proven')),
  );
  const complete = prepareWrite(store, (row: Completion) =>
    change(store, row, pick(row, completionColumns)).where((eb) => isNone(eb, ownerOf(eb, row))),
  );
  const addressReplies = prepare((of: { openedBy: string }) =>
    store
      .updateTable('operations')
      .from('operations as opening')
      .set(({ ref }) => ({ ticket_id: ref('opening.ticket_id') }))
      .whereRef('operations.opened_by', '=', 'opening.id')
      .where('opening.id', 'in', listOf(store, of.openedBy))
      .returning(['operations.id', 'operations.subject_id', 'operations.opened_by']),
  );
  return { claim, complete, addressReplies };
}

export function createLedger(deps: LedgerDeps) {
  const { store, settleMs, leaseMs, now, elapsed, random = Math.random } = deps;
  const attemptAgeMs = createAttemptAges(elapsed);
  const changes = prepareChanges(store);
  const recordOpened = createRecordOpened(deps, changes);

  /** The new values of the row. Null when the event does not apply. */
  function outcome(row: OperationRow, event: SendEvent) {
    const at = now();
    const attempt_age_ms = attemptAgeMs(row);
    const to = transition({ ...row, attempt_age_ms }, event, { now: at, settleMs, random: random() });
    if (!to) return null;
    const isFinal = to.state === 'done' || to.state === 'rejected';
    return { ...to, attempt_age_ms, finished_at: isFinal ? at : null };
  }

  /** Completes the openings of one turn of the event loop in one transaction. */
  const completeOpening = shareStatements((openings: { completion: Completion; facts: TicketFacts }[]) =>
    inTransaction(store, async (trx) => {
      const completions = openings.map(({ completion }) => completion);
      const all = await changes.complete.all(trx, completions);
      const opened = openings.flatMap(({ facts }, nth) => {
        const opening = all[nth];
        return opening ? { opening, facts } : [];
      });
      await recordOpened(opened, trx);
      return all;
    }),
  );

  function complete(row: OperationRow, set: Outcome, { id, facts, isAmbiguous }: Upstream) {
    const completion = {
      ...set,
      id: row.id,
      fence: row.fence,
      upstream_id: id,
      ticket_id: row.kind === 'ticket' ? id : row.ticket_id!,
      ambiguous: isAmbiguous ? 1 : 0,
    };
    return facts
      ? completeOpening({ completion, facts })
      : changes.complete(store, completion).catch(nullWhereDuplicate);
  }

  return {
    record: createRecord(deps),

    /**
     * Takes an accepted operation for sending, with a lease. Null when another process has changed it, or it may not
     * be sent now: an earlier operation of its ticket must be sent first, a duplicate is in flight, or the sender has
     * no grant for the ticket.
     */
    async claim(row: OperationRow, attempt: Attempt): Promise<ClaimedOperation | null> {
      const set = outcome(row, { type: 'begin' });
      if (!set) return null;
      const [at, leasedSince] = [now(), elapsed()];
      const written = await changes
        .claim(store, {
          ...set,
          id: row.id,
          fence: row.fence,
          lease_until: at + leaseMs,
          attempts: row.attempts + 1,
          started_at: at,
          attempt_age_ms: 0,
          ...attempt,
          // Only tickets need it: equal messages are distinguished by their ticket and their order in it.
          with_ref: row.kind === 'ticket' ? attempt.with_ref : null,
        })
        .catch(nullWhereDuplicate);
      if (!written) return null;
      failpoint('sending');
      attemptAgeMs(written);
      return { ...written, isProven: Boolean(written.is_proven), leasedSince };
    },

    /** Leases an operation in doubt; null when another process has changed it. */
    async lease(row: OperationRow): Promise<OperationRow | null> {
      return (await change(store, row, { lease_until: now() + leaseMs }).executeTakeFirst()) ?? null;
    },

    /**
     * Applies an event. `found` records the ticket and its opener's grant, too. Null when the event does not apply,
     * another process changed the row first, the id that was found belongs to another operation, or a send to be
     * revoked has a grant.
     */
    async move(row: OperationRow, event: LedgerEvent): Promise<OperationRow | null> {
      const set = outcome(row, event);
      if (!set) return null;
      if (event.type === 'found') return (await complete(row, set, event.upstream)) ?? null;
      const changed = change(store, row, set).$if(event.type === 'revoked', (query) =>
        query.where((eb) => eb.not(mayWrite(eb, store))),
      );
      return (await changed.executeTakeFirst()) ?? null;
    },

    /**
     * Which of these service ids already belong to operations: ids of messages in one ticket, or, without a
     * `ticketId`, ids of tickets.
     */
    async takenIds(ids: readonly string[], ticketId: string | null): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await store
        .selectFrom('operations')
        .select('upstream_id')
        .where('kind', '=', ticketId === null ? 'ticket' : 'message')
        .where('upstream_id', 'in', ids)
        // Matches the unique index. The ticket of an opening send is what the service has created.
        .where('ticket_id', 'in', ticketId === null ? ids : [ticketId])
        .execute();
      return new Set(rows.map((row) => row.upstream_id!));
    },

    attemptAgeMs,

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

    /**
     * To be called when the store may have been set back, before anything is sent. What it holds as not sent is looked
     * for at the service first, as if it had been sent now. Returns how many sends that are.
     */
    async doubtUnsent(): Promise<number> {
      const unsent = await store
        .selectFrom('operations')
        .selectAll()
        .where(notDone('operations'))
        .where('state', '=', 'accepted')
        .where('due_at', 'is not', null)
        .execute();
      for (const row of unsent)
        await change(store, row, {
          ...outcome(row, { type: 'doubted' }),
          attempts: 0,
          attempt_age_ms: 0,
          // From when it may have been sent, and counted for its end if nobody decides.
          started_at: row.created_at,
          started_there: null,
        }).execute();
      return unsent.length;
    },
  };
}

export type Ledger = ReturnType<typeof createLedger>;

const maxAttemptsSeen = 100_000;

/**
 * Makes the function that returns the minimum age of the latest attempt of a send, in whole milliseconds of monotonic
 * clocks, from the first call of this process for the attempt. The row keeps it across restarts. Time in which no
 * process ran is not counted.
 */
function createAttemptAges(elapsed: () => number): (row: OperationRow) => number {
  /** When this process first saw the attempt, and how old it was then. */
  const seen = createCache<{ attempts: number; ageMs: number; atMs: number }>(maxAttemptsSeen);
  return (row) => {
    const first = seen.get(row.id);
    if (first?.attempts === row.attempts)
      return Math.max(row.attempt_age_ms, Math.floor(first.ageMs + elapsed() - first.atMs));
    seen.set(row.id, { attempts: row.attempts, ageMs: row.attempt_age_ms, atMs: elapsed() });
    return row.attempt_age_ms;
  };
}

/**
 * Makes the function that records in the transaction `db` that the service has the tickets that openings sent, under
 * their `ticket_id`: their facts, their openers' grants, what other parts record of them, and the replies that waited
 * for them. The caller must have locked the rows of the openings. Then a reply that is accepted later finds the ticket
 * through its opening.
 */
function createRecordOpened(
  { grants, ticketRecords, parts = [], now }: LedgerDeps,
  { addressReplies }: ReturnType<typeof prepareChanges>,
) {
  const operationChanges = createOperationChanges({ now });
  return async function recordOpened(
    opened: readonly { opening: OperationRow; facts: TicketFacts }[],
    db: Store,
  ): Promise<void> {
    if (opened.length === 0) return;
    const ids = opened.map(({ opening }) => opening.id);
    await ticketRecords.add(
      opened.map(({ opening, facts }) => ({ id: opening.ticket_id!, facts })),
      db,
    );
    // The customer may have signed in meanwhile: the current row has the current sender.
    const [granted, replies] = await runInOneBatch(db, [
      grants.addingOpened(ids),
      addressReplies.of({ openedBy: JSON.stringify(ids) }),
    ]);
    const trusted = new Set(granted.flatMap((grant) => (grant.trusted === 1 ? grant.ticket_id : [])));
    for (const { opening } of opened) {
      if (trusted.has(opening.ticket_id!) && opening.owned === 0)
        await operationChanges.markOwned(opening.subject_id, db);
      for (const part of parts) await part.onOpened?.(opening, db);
      // Another browser of the opener may have replied before one of them signed in. It keeps its grant for the ticket.
      const theirs = replies.filter(
        (reply) => reply.opened_by === opening.id && reply.subject_id !== opening.subject_id,
      );
      const ofEach = new Map(theirs.map((reply) => [reply.subject_id, reply.id]));
      if (ofEach.size > 0) await db.executeQuery(grants.addingOpened([...ofEach.values()]));
    }
  };
}
