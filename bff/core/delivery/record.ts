import type { CompiledQuery } from 'kysely';
import { customAlphabet } from 'nanoid';
import type { AcceptedMessage, AcceptedTicket } from '../../../shared/contract/accepted.ts';
import { AppError } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import type { Session } from '../identity/sessions.ts';
import type { Store } from '../store/open.ts';
import { type OperationRow, newRowId } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { runInOneBatch, inTransaction } from '../store/statements/transaction.ts';
import { prepareWrite } from '../store/statements/writes-together.ts';
import { lockForShare } from '../store/dialect.ts';
import { noTracer, type Tracer } from '../tracer.ts';

/** The ticket that a reply is for: its id or, before it has one, the operation that opens it. */
export type Target = { ticketId: string } | { openedBy: string };

/** The content that a customer wants to send. Its texts are in canonical form. */
export type SendRequest =
  | { kind: 'ticket'; payload: AcceptedTicket }
  | { kind: 'message'; to: Target; payload: AcceptedMessage };

/** The address that a ticket is opened under. `isProven`: the opener has proven it. */
export interface OpenedUnder {
  email: string;
  addressHash: string;
  isProven: boolean;
}

/** Writes a new subject and its first session. */
export interface NewSender {
  subject: CompiledQuery;
  session: CompiledQuery;
}

/** What may come with a send. */
export interface RecordOptions {
  /** The address that a new ticket is opened under. */
  openedUnder?: OpenedUnder;
  /** Set when the session and its subject are not written yet. They are written even if the key is known. */
  sender?: NewSender;
}

/** A recorded send. `isNew` is false when its key was known already. */
export interface Recorded {
  row: OperationRow;
  isNew: boolean;
}

const refEnding = customAlphabet('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 12);
const newRef = () => `DS-${refEnding()}`;

/** What a new row has besides its state. */
const newColumns = [
  'id',
  'subject_id',
  'session_id',
  'key',
  'kind',
  'fingerprint',
  'ticket_id',
  'opened_by',
  'payload_sealed',
  'ref',
  'created_at',
  'address_hash',
  'owned',
] as const;
type NewOperation = Pick<OperationRow, (typeof newColumns)[number]>;

/** Some columns of a row, or of the placeholders for them in a statement. */
export const pick = <Row, Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>;

/** A part of the BFF that records something with a send. */
export interface RecordHook {
  /**
   * Null when there is nothing to record, else the write, which runs in the transaction that records the send.
   * `subjectId`: the sender; null for a visitor who is new.
   */
  alsoRecord?(
    send: SendRequest,
    subjectId: string | null,
  ): ((operationId: string, db: Store) => Promise<void>) | null;
}

/** Makes the only function that inserts operations. It sends nothing, and takes no lease. */
export function createRecord({
  store,
  seal,
  parts = [],
  tracer = noTracer,
  now,
}: {
  store: Store;
  seal: Seal;
  parts?: readonly RecordHook[];
  tracer?: Pick<Tracer, 'remember'>;
  now: () => number;
}) {
  const insertInto = prepareWrite(store, (row: NewOperation) =>
    store
      .insertInto('operations')
      .values(({ fn, selectFrom, val }) => ({
        ...pick(row, newColumns),
        // The ticket may have received its id since the customer looked.
        ticket_id: fn.coalesce(
          lockForShare(selectFrom('operations').select('ticket_id').where('id', '=', row.opened_by), store),
          val(row.ticket_id),
        ),
        state: 'accepted',
        attempts: 0,
        due_at: row.created_at,
      }))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returningAll(),
  );

  /**
   * A hash of what must be the same when a request is repeated. A repeat may differ in the rest, since that may have
   * changed: which mails are wanted and in which language, and what the operator's form, a received mail, the page and
   * the site add. What was recorded first counts.
   */
  function fingerprintOf(kind: SendRequest['kind'], payload: SendRequest['payload']): string {
    const { notify, language, form, context, verified_attributes, files, mail, ...sent } =
      payload as AcceptedTicket;
    const all = files ? { ...sent, files: files.ids } : sent;
    return seal.hash('request', JSON.stringify({ kind, payload: all }));
  }

  /** Undefined when the key is known. */
  async function write(row: NewOperation, sender: NewSender | undefined, request: SendRequest) {
    const subjectId = sender ? null : row.subject_id;
    const also = parts.flatMap((part) => part.alsoRecord?.(request, subjectId) ?? []);
    async function insert(db: Store): Promise<OperationRow | undefined> {
      if (!sender) return insertInto(db, row);
      const [, , inserted] = await runInOneBatch(db, [sender.subject, sender.session, insertInto.of(row)]);
      return inserted[0];
    }
    if (also.length === 0) return insert(store);
    return inTransaction(store, async (trx) => {
      const inserted = await insert(trx);
      if (inserted) for (const record of also) await record(row.id, trx);
      return inserted;
    });
  }

  /**
   * Records a send before any of it is sent. The same key with the same request returns the existing operation, which
   * may belong to another subject.
   * @throws {AppError} `invalid_request` (422) for the same key with another request
   */
  return async function record(
    session: Session,
    key: string,
    request: SendRequest,
    { openedUnder, sender }: RecordOptions = {},
  ): Promise<Recorded> {
    const id = newRowId();
    const { kind } = request;
    const fingerprint = fingerprintOf(kind, request.payload);
    const payload = openedUnder ? { ...request.payload, customer_email: openedUnder.email } : request.payload;
    const to = kind === 'message' ? request.to : null;
    const ticketId = to && 'ticketId' in to ? to.ticketId : null;
    const openedBy = to && 'openedBy' in to ? to.openedBy : null;
    // The worker may see the row before this function does.
    tracer.remember(id);
    failpoint('accepting');
    const row = {
      id,
      subject_id: session.subjectId,
      session_id: session.id,
      key,
      kind,
      fingerprint,
      ticket_id: ticketId,
      opened_by: openedBy,
      payload_sealed: seal.seal('operations.payload', payload),
      ref: newRef(),
      created_at: now(),
      address_hash: openedUnder?.addressHash ?? null,
      owned: openedUnder?.isProven ? 1 : 0,
    };
    const written = await write(row, sender, request);
    failpoint('accepted');
    if (written) return { row: written, isNew: true };
    const existing = await store
      .selectFrom('operations')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    const isToSame = openedBy ? existing.opened_by === openedBy : !to || existing.ticket_id === ticketId;
    if (existing.fingerprint !== fingerprint || !isToSame)
      throw new AppError('invalid_request', { status: 422 });
    return { row: existing, isNew: false };
  };
}
