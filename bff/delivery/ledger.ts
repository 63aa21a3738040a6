import { randomBytes, randomUUID } from 'node:crypto';
import type { NewMessage, NewTicket } from '../contract/tickets.ts';
import { AppError } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import type { Session } from '../session/sessions.ts';
import type { Store } from '../store/open.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { recordOpened } from '../tickets/opened.ts';
import { type Event, transition } from './machine.ts';

/** The ticket that a reply is for: by its id, or while it has none by the operation that opens it. */
export type Target = { ticketId: string } | { openedBy: string };

/** What a customer asked to be sent, texts in canonical form. */
export type Request =
  { kind: 'ticket'; payload: NewTicket } | { kind: 'message'; to: Target; payload: NewMessage };

/** The address that a ticket is opened under. */
export interface OpenedUnder {
  email: string;
  addressHash: string;
}

/** What the service holds of a send. `isAmbiguous`: something else there could have been it, too. */
export interface Upstream {
  id: string;
  facts: TicketFacts | null;
  isAmbiguous?: boolean;
}

export interface LedgerDeps {
  store: Store;
  seal: Seal;
  settleMs: number;
  /** How long one process may act on an operation alone: longer than any step can take. */
  leaseMs: number;
  now: () => number;
  random?: () => number;
}

const refAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newRef = () => `DS-${[...randomBytes(12)].map((byte) => refAlphabet[byte % 32]).join('')}`;
const keepTextMs = 24 * 3_600_000;

/**
 * The durable record of every send: one row an operation, each change one transaction. Of several processes that change
 * the same row, the first wins: every change raises the row's fence, and needs the fence that it was decided on.
 */
export function createLedger(deps: LedgerDeps) {
  const { store, seal, settleMs, leaseMs, now, random = Math.random } = deps;
  const all = () => store.selectFrom('operations').selectAll();

  const update = (row: OperationRow, set: Partial<OperationRow>, db = store) =>
    db
      .updateTable('operations')
      .set({ lease_until: null, ...set, fence: row.fence + 1 })
      .where('id', '=', row.id)
      .where('fence', '=', row.fence)
      .returningAll();

  /** What becomes of the row; null when the event does not apply. */
  function outcome(row: OperationRow, event: Event): Partial<OperationRow> | null {
    const { state, attempts, created_at: createdAt, started_at: startedAt } = row;
    const timing = { now: now(), settleMs, random: random() };
    const to = transition({ state, attempts, createdAt, startedAt }, event, timing);
    if (!to) return null;
    const isFinal = to.state === 'done' || to.state === 'rejected';
    return { state: to.state, due_at: to.dueAt, error: to.error, finished_at: isFinal ? now() : null };
  }

  /** Moves an operation; null when another hand moved it first or the event does not apply. */
  async function move(row: OperationRow, event: Event): Promise<OperationRow | null> {
    const set = outcome(row, event);
    return (set && (await update(row, set).executeTakeFirst())) ?? null;
  }

  return {
    /**
     * Records a send before anything of it leaves. The same key with the same request gives the operation that
     * stands already; it may be another subject's. `openedUnder`: the address that a new ticket goes under.
     * @throws {AppError} `invalid_request` (422) for the same key with another request
     */
    async accept(
      session: Session,
      key: string,
      request: Request,
      openedUnder?: OpenedUnder,
    ): Promise<OperationRow> {
      const { kind } = request;
      const fingerprint = seal.hash('request', JSON.stringify({ kind, payload: request.payload }));
      const payload = openedUnder
        ? { ...request.payload, customer_email: openedUnder.email }
        : request.payload;
      const to = kind === 'message' ? request.to : null;
      const ticketId = to && 'ticketId' in to ? to.ticketId : null;
      const openedBy = to && 'openedBy' in to ? to.openedBy : null;
      failpoint('accepting');
      const inserted = await store
        .insertInto('operations')
        .values(({ selectFrom }) => ({
          id: randomUUID(),
          subject_id: session.subjectId,
          session_id: session.id,
          key,
          kind,
          fingerprint,
          // The ticket may have come to be since the customer looked.
          ticket_id: openedBy
            ? selectFrom('operations').select('ticket_id').where('id', '=', openedBy)
            : ticketId,
          opened_by: openedBy,
          payload_sealed: seal.seal('operations.payload', payload),
          ref: newRef(),
          state: 'accepted',
          attempts: 0,
          created_at: now(),
          due_at: now(),
          address_hash: openedUnder?.addressHash ?? null,
        }))
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returningAll()
        .executeTakeFirst();
      failpoint('accepted');
      if (inserted) return inserted;
      const standing = await all().where('key', '=', key).executeTakeFirstOrThrow();
      const isSame =
        standing.fingerprint === fingerprint &&
        (!to ||
          standing.ticket_id === (ticketId ?? undefined) ||
          standing.opened_by === (openedBy ?? undefined));
      if (!isSame) throw new AppError('invalid_request', { status: 422 });
      return standing;
    },

    /**
     * Takes an accepted operation for sending, under a lease. `startedThere`: this moment by the service's clock. Null
     * when another hand has taken it, or sends another one to the same ticket.
     */
    async begin(
      row: OperationRow,
      seenIds: readonly string[],
      startedThere: number | null,
    ): Promise<OperationRow | null> {
      const set = outcome(row, { type: 'begin' });
      if (!set) return null;
      const begun = await update(row, {
        ...set,
        attempts: row.attempts + 1,
        started_at: now(),
        started_there: startedThere,
        seen_ids: JSON.stringify(seenIds),
        lease_until: now() + leaseMs,
      })
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
      return begun ?? null;
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
        const claimed = await trx
          .selectFrom('operations')
          .select('id')
          .where('kind', '=', row.kind)
          .where('upstream_id', '=', upstream.id)
          .executeTakeFirst();
        const set = claimed ? null : outcome(row, { type });
        if (!set) return null;
        const ticketId = row.kind === 'ticket' ? upstream.id : row.ticket_id;
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

    move: (row: OperationRow, event: Exclude<Event, { type: 'begin' | 'confirmed' | 'found' }>) =>
      move(row, event),

    /** Ids of the service that operations hold already. */
    async claimedIds(kind: OperationRow['kind'], ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await all().where('kind', '=', kind).where('upstream_id', 'in', ids).execute();
      return new Set(rows.map((row) => row.upstream_id!));
    },

    /** Ends every lease: of processes that are known to be gone. */
    async release(): Promise<void> {
      await store
        .updateTable('operations')
        .set({ lease_until: null })
        .where('lease_until', 'is not', null)
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
