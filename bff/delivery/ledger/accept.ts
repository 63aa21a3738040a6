import type { CompiledQuery } from 'kysely';
import { customAlphabet } from 'nanoid';
import type { Consent } from '../../contract/form.ts';
import type { AcceptedTicket } from '../../contract/accepted.ts';
import type { NewMessage } from '../../contract/tickets.ts';
import { AppError } from '../../errors.ts';
import { failpoint } from '../../failpoint.ts';
import type { Session } from '../../session/sessions.ts';
import type { Store } from '../../store/open.ts';
import type { OperationRow } from '../../store/schema.ts';
import { newRowId } from '../../store/row-id.ts';
import type { Seal } from '../../store/seal.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import { inTransaction } from '../../store/statements/transaction.ts';
import { createConsents } from './consents.ts';
import { createLedgerStatements, type NewOperation } from './statements.ts';
import { readAddress } from '../../session/address.ts';
import { payloadOf } from '../../tickets/operations.ts';
import { canonical } from '../../text/canonical.ts';
import { noTracer, type Tracer } from '../../tracing/tracer.ts';

/** The ticket that a reply is for: its id or, before it has one, the operation that opens it. */
export type Target = { ticketId: string } | { openedBy: string };

/** The content that a customer wants to send. Its texts are in canonical form. */
export type SendRequest =
  | { kind: 'ticket'; payload: AcceptedTicket }
  | { kind: 'message'; to: Target; payload: NewMessage };

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
export interface AcceptOptions {
  /** The address that a new ticket is opened under. */
  openedUnder?: OpenedUnder;
  /** Set when the session and its subject are not written yet. They are written even if the key is known. */
  sender?: NewSender;
}

/** A recorded send. `isNew` is false when its key was known already. */
export interface Accepted {
  row: OperationRow;
  isNew: boolean;
}

const refEnding = customAlphabet('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 12);
const newRef = () => `DS-${refEnding()}`;

/**
 * Converts a recorded payload to the canonical form of this version, since the rules for texts and addresses have
 * changed between versions.
 */
const modernized = (payload: AcceptedTicket | NewMessage): AcceptedTicket | NewMessage =>
  JSON.parse(JSON.stringify(payload), (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return (name === 'customer_email' && readAddress(value)) || canonical(value);
  });

/** Makes the only function that inserts operations. */
export function createAccept({
  store,
  seal,
  tracer = noTracer,
  now,
}: {
  store: Store;
  seal: Seal;
  tracer?: Pick<Tracer, 'remember'>;
  now: () => number;
}) {
  const statements = createLedgerStatements(store);
  const consents = createConsents(store);
  /**
   * A hash of the parts of a request that reach the service. A repeat may differ in the rest: which mails are wanted,
   * their language, and the details made from the operator's form, which may have changed since.
   */
  function fingerprintOf(kind: SendRequest['kind'], payload: AcceptedTicket | NewMessage): string {
    const { notify, language, form, ...sent } = payload as AcceptedTicket;
    return seal.hash('request', JSON.stringify({ kind, payload: sent }));
  }

  function isSameRequest(row: OperationRow, fingerprint: string): boolean {
    if (row.fingerprint === fingerprint) return true;
    const payload = payloadOf(seal, row);
    return payload !== null && fingerprintOf(row.kind, modernized(payload)) === fingerprint;
  }

  /** Undefined when the key is known. */
  async function insert(
    row: NewOperation,
    sender: NewSender | undefined,
    db: Store,
  ): Promise<OperationRow | undefined> {
    if (!sender) return (await statements.insert(db, row))[0];
    const [, , inserted] = await runTogether(db, [sender.subject, sender.session, statements.insert.of(row)]);
    return inserted[0];
  }

  function write(row: NewOperation, sender: NewSender | undefined, consent: Consent | undefined) {
    if (!consent) return insert(row, sender, store);
    return inTransaction(store, async (trx) => {
      const inserted = await insert(row, sender, trx);
      if (inserted) await consents.add(row.id, consent, trx);
      return inserted;
    });
  }

  /**
   * Records a send before any of it is sent. The same key with the same request returns the existing operation, which
   * may belong to another subject.
   * @throws {AppError} `invalid_request` (422) for the same key with another request
   */
  return async function accept(
    session: Session,
    key: string,
    request: SendRequest,
    options: AcceptOptions = {},
  ): Promise<Accepted> {
    const id = newRowId();
    const { openedUnder, sender } = options;
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
    const consent = kind === 'ticket' ? request.payload.form?.consent : undefined;
    const written = await write(row, sender, consent);
    failpoint('accepted');
    if (written) return { row: written, isNew: true };
    const existing = await store
      .selectFrom('operations')
      .selectAll()
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    const isRepeat =
      isSameRequest(existing, fingerprint) &&
      (kind === 'ticket' ||
        (ticketId !== null && existing.ticket_id === ticketId) ||
        (openedBy !== null && existing.opened_by === openedBy));
    if (!isRepeat) throw new AppError('invalid_request', { status: 422 });
    return { row: existing, isNew: false };
  };
}
