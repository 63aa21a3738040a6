import { randomBytes, randomUUID } from 'node:crypto';
import type { NewMessage, NewTicket } from '../contract/tickets.ts';
import { AppError } from '../errors.ts';
import type { Session } from '../session/sessions.ts';
import type { Store } from '../store/open.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { type Event, transition, type Transition } from './machine.ts';

/** What a customer asked to be sent, texts in canonical form. */
export type Request =
  { kind: 'ticket'; payload: NewTicket } | { kind: 'message'; ticketId: string; payload: NewMessage };

/** The address that a ticket is opened under. */
export interface OpenedUnder {
  email: string;
  addressHash: string;
}

export interface LedgerDeps {
  store: Store;
  seal: Seal;
  settleMs: number;
  now: () => number;
  random?: () => number;
}

const refAlphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const newRef = () => `DS-${[...randomBytes(12)].map((byte) => refAlphabet[byte % 32]).join('')}`;
const keepTextMs = 24 * 3_600_000;

/** The durable record of every send: one row an operation, each change one transaction. */
export function createLedger({ store, seal, settleMs, now, random = Math.random }: LedgerDeps) {
  const all = () => store.selectFrom('operations').selectAll();
  const fingerprintOf = (request: Request) => seal.hash('request', JSON.stringify(request));

  const next = (row: OperationRow, event: Event): Transition | null =>
    transition(
      { state: row.state, attempts: row.attempts, createdAt: row.created_at, startedAt: row.started_at },
      event,
      { now: now(), settleMs, random: random() },
    );

  /** Moves an operation; null when another one moved it first or the event does not apply. */
  async function move(row: OperationRow, event: Event, more: Partial<OperationRow> = {}, db = store) {
    const to = next(row, event);
    if (!to) return null;
    const isFinal = to.state === 'done' || to.state === 'rejected';
    const moved = await db
      .updateTable('operations')
      .set({
        state: to.state,
        due_at: to.dueAt,
        error: to.error,
        finished_at: isFinal ? now() : null,
        ...more,
      })
      .where('id', '=', row.id)
      .where('state', '=', row.state)
      .where('attempts', '=', row.attempts)
      .returningAll()
      .executeTakeFirst();
    return moved ?? null;
  }

  return {
    /**
     * Records a send before anything of it leaves. The same key with the same request gives the operation that
     * stands already; it may be another subject's. `asWho`: the address that a new ticket goes under, and its hash.
     * @throws {AppError} `invalid_request` (422) for the same key with another request
     */
    async accept(
      session: Session,
      key: string,
      request: Request,
      asWho?: OpenedUnder,
    ): Promise<OperationRow> {
      const fingerprint = fingerprintOf(request);
      const payload = asWho ? { ...request.payload, customer_email: asWho.email } : request.payload;
      const row = {
        id: randomUUID(),
        subject_id: session.subjectId,
        session_id: session.id,
        key,
        kind: request.kind,
        fingerprint,
        ticket_id: request.kind === 'message' ? request.ticketId : null,
        payload_sealed: seal.seal('operations.payload', payload),
        ref: newRef(),
        state: 'accepted' as const,
        attempts: 0,
        created_at: now(),
        due_at: now(),
        address_hash: asWho?.addressHash ?? null,
      };
      const inserted = await store
        .insertInto('operations')
        .values(row)
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returningAll()
        .executeTakeFirst();
      if (inserted) return inserted;
      const standing = await all().where('key', '=', key).executeTakeFirstOrThrow();
      if (standing.fingerprint !== fingerprint) throw new AppError('invalid_request', { status: 422 });
      return standing;
    },

    /** Takes an accepted operation for sending; null when another hand has taken it. */
    begin(row: OperationRow, seenIds: readonly string[]): Promise<OperationRow | null> {
      const attempt = { attempts: row.attempts + 1, started_at: now(), seen_ids: JSON.stringify(seenIds) };
      return move(row, { type: 'begin' }, attempt);
    },

    /** The service has it under `upstreamId`. Null when another operation claims that id already. */
    async complete(
      row: OperationRow,
      type: 'confirmed' | 'found',
      upstream: { id: string; facts: TicketFacts | null },
    ): Promise<OperationRow | null> {
      return store.transaction().execute(async (trx) => {
        const claimed = await trx
          .selectFrom('operations')
          .select('id')
          .where('kind', '=', row.kind)
          .where('upstream_id', '=', upstream.id)
          .executeTakeFirst();
        if (claimed) return null;
        const ticketId = row.kind === 'ticket' ? upstream.id : row.ticket_id;
        const done = await move(row, { type }, { upstream_id: upstream.id, ticket_id: ticketId }, trx);
        if (!done || row.kind !== 'ticket' || !upstream.facts) return done;
        await trx
          .insertInto('tickets')
          .values({
            id: upstream.id,
            facts_sealed: seal.seal('tickets.facts', upstream.facts),
            agent_count: 0,
            closed: 0,
            read_at: now(),
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
        // The customer may have signed in meanwhile: whose it is stands in the row as it is now.
        const holder = await trx
          .selectFrom('subjects')
          .select(['id', 'verified', 'address_hash'])
          .where('id', '=', done.subject_id)
          .executeTakeFirstOrThrow();
        const isTrusted = holder.verified === 1 && holder.address_hash === done.address_hash;
        await trx
          .insertInto('grants')
          .values({
            subject_id: holder.id,
            ticket_id: upstream.id,
            created_at: now(),
            trusted: isTrusted ? 1 : 0,
          })
          .execute();
        if (isTrusted)
          await trx.updateTable('operations').set({ owned: 1 }).where('id', '=', done.id).execute();
        return done;
      });
    },

    move: (row: OperationRow, event: Exclude<Event, { type: 'begin' | 'confirmed' | 'found' }>) =>
      move(row, event),

    /** Operations to act on now, oldest first; none whose ticket has an earlier one underway or one being sent. */
    async due(limit: number): Promise<OperationRow[]> {
      return all()
        .where('due_at', '<=', now())
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('operations as other')
                .select('other.id')
                .whereRef('other.ticket_id', '=', 'operations.ticket_id')
                .whereRef('other.id', '!=', 'operations.id')
                .where(({ and, eb, or, ref }) =>
                  or([
                    eb('other.state', '=', 'sending'),
                    and([
                      eb('other.seq', '<', ref('operations.seq')),
                      eb('other.state', 'in', ['accepted', 'unknown']),
                      eb('other.due_at', 'is not', null),
                    ]),
                  ]),
                ),
            ),
          ),
        )
        .orderBy('seq')
        .limit(limit)
        .execute();
    },

    /** Unix milliseconds of the next operation that becomes due; null when there is none. */
    async nextDueAt(): Promise<number | null> {
      const row = await store
        .selectFrom('operations')
        .select((query) => query.fn.min('due_at').as('next'))
        .where('due_at', '>', now())
        .executeTakeFirst();
      return row?.next ?? null;
    },

    /** Ids of the service that operations hold already. */
    async claimedIds(kind: OperationRow['kind'], ids: readonly string[]): Promise<Set<string>> {
      if (ids.length === 0) return new Set();
      const rows = await all().where('kind', '=', kind).where('upstream_id', 'in', ids).execute();
      return new Set(rows.map((row) => row.upstream_id!));
    },

    /**
     * What is being sent since `beforeMs` or longer, by no hand in `exceptIds`, may or may not have arrived: the
     * process that sent it is gone, or could not write down what came of it.
     */
    async abandon(beforeMs: number, exceptIds: readonly string[]): Promise<void> {
      const stranded = await all()
        .where('state', '=', 'sending')
        .where('started_at', '<=', beforeMs)
        .execute();
      for (const row of stranded) if (!exceptIds.includes(row.id)) await move(row, { type: 'abandoned' });
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
