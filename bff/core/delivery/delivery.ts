import type { AcceptedMessage, AcceptedTicket } from '../../../shared/contract/accepted.ts';
import type { RefusalCode } from '../../../shared/contract/tickets.ts';
import { AppError } from '../errors.ts';
import type { NewSession, Session, Sessions } from '../identity/sessions.ts';
import type { Subject, Subjects } from '../identity/subjects.ts';
import type { OperationRow } from '../store/schema.ts';
import { canRetry } from '../tickets/operations.ts';
import type { Recorded, OpenedUnder, SendRequest, Target } from './record.ts';
import type { Ledger, LedgerEvent } from './ledger.ts';
import type { Sender } from './send.ts';
import type { Verdict } from './settle.ts';
import type { Worker } from './worker.ts';

/** How long a request waits for the service before its answer says that the send is on its way. */
const answerWithinMs = 5_000;

/** Records the sends of customers, and follows each send to its outcome. */
export function createDelivery(deps: {
  ledger: Ledger;
  worker: Worker;
  sender: Sender;
  sessions: Sessions;
  subjects: Subjects;
}) {
  const { ledger, worker, sender, sessions, subjects } = deps;

  const addressed = (email: string, isProven: boolean): OpenedUnder => ({
    email,
    addressHash: subjects.addressHash(email),
    isProven,
  });

  /**
   * A browser without a session sends its first ticket. If the ticket is recorded already, the answer with the
   * session was lost. Then the browser gets another session of the same subject.
   */
  async function openFirst(
    key: string,
    request: SendRequest & { kind: 'ticket' },
    isBearer: boolean,
  ): Promise<Recorded & { issued: NewSession | null }> {
    const { customer_email: email, customer_name: name = null } = request.payload;
    const kind = { isSignedIn: false, isBearer };
    const { id: subjectId, write: subject } = subjects.draft({ email, name });
    const { issued, write: session } = sessions.draft(subjectId, kind);
    const options = { openedUnder: addressed(email, false), sender: { subject, session } };
    const { row, isNew } = await ledger.record(issued.session, key, request, options).catch(async (error) => {
      // The send may be recorded though its answer was lost. Housekeeping removes what is left over.
      await subjects.removeUnused(subjectId).catch(() => {});
      throw error;
    });
    if (row.subject_id === subjectId) return { issued, row, isNew };
    await subjects.removeUnused(subjectId);
    // SECURITY: the browser knows 122 secret bits and the whole request, and no browser has ever used a session of
    // the subject.
    const isLost =
      (await sessions.find(row.session_id)) && (await sessions.shown(row.subject_id)).length === 0;
    return { issued: isLost ? await sessions.issue(row.subject_id, kind) : null, row, isNew };
  }

  /** What the service has of a send in doubt. Undefined: it is not in doubt. */
  const lookUp = async (row: OperationRow) =>
    row.state === 'unknown' ? sender.lookUp(row, true) : undefined;

  /** Carries out a decision about a send, unless the service was found to have it. */
  async function decide(row: OperationRow, verdict: Verdict | undefined, decision: LedgerEvent) {
    const next = await ledger.move(row, verdict?.type === 'found' ? verdict : decision);
    if (next) worker.announce(next);
    return next;
  }

  return {
    /**
     * Records a ticket, always under the address that the customer has proven, if any. `issued`: the session that was
     * made for a browser without one. `isOwn` false: it was opened by a session that this browser no longer has.
     * @throws {AppError} `invalid_request` (422): the key was used for another request
     */
    async acceptTicket(
      current: { session: Session; subject: Subject } | null,
      isBearer: boolean,
      key: string,
      payload: AcceptedTicket,
    ): Promise<Recorded & { isOwn: boolean; issued: NewSession | null }> {
      const { customer_email: email, customer_name: name = null } = payload;
      if (!current) {
        const accepted = await openFirst(key, { kind: 'ticket', payload }, isBearer);
        return { ...accepted, isOwn: accepted.issued !== null };
      }
      const { session, subject } = current;
      const proven = subject.isVerified ? subject.contact!.email : email;
      const openedUnder = addressed(proven, subject.isVerified);
      const verified = sessions.attributesOf(session);
      const request = {
        kind: 'ticket',
        payload: { ...payload, ...(verified && { verified_attributes: verified }) },
      } as const;
      const accepted = await ledger.record(session, key, request, { openedUnder });
      const isOwn = accepted.row.subject_id === subject.id;
      const isNewContact = subject.contact?.email !== email || subject.contact.name !== name;
      if (isOwn && isNewContact) await subjects.setContact(subject.id, { email, name });
      return { ...accepted, isOwn, issued: null };
    },

    /**
     * Records a reply.
     * @throws {AppError} `invalid_request` (422): the key was used for another request
     */
    async acceptReply(
      session: Session,
      to: Target,
      key: string,
      payload: AcceptedMessage,
    ): Promise<Recorded> {
      const accepted = await ledger.record(session, key, { kind: 'message', to, payload });
      if (accepted.row.subject_id !== session.subjectId)
        throw new AppError('invalid_request', { status: 422 });
      return accepted;
    },

    /**
     * Sends what was recorded. Returns when the service has answered, when the send has to wait for a next attempt, or
     * after 5 s.
     * @throws {AppError} `conversation_merged`, `not_found` or `invalid_request` when the service refuses it
     */
    async follow(row: OperationRow): Promise<OperationRow> {
      // A reply cannot be sent before its ticket exists.
      const isWaitingForTicket = row.kind === 'message' && row.ticket_id === null;
      const latest = await worker.follow(row, isWaitingForTicket ? 0 : answerWithinMs);
      if (latest.state === 'rejected') throw new AppError(latest.error ?? 'invalid_request');
      return latest;
    },

    /**
     * The customer's "Send again": looks it up at the service once more, and sends it only if it is not there.
     * @throws {AppError} `operation_in_progress` while it is still being tried anyway, `upstream_unavailable` while
     * the service cannot be read
     */
    async retry(row: OperationRow): Promise<OperationRow> {
      if (row.state === 'done') return row;
      if (!canRetry(row)) throw new AppError('operation_in_progress');
      const verdict = await lookUp(row);
      if (verdict?.type === 'unreadable') throw new AppError('upstream_unavailable');
      return (await decide(row, verdict, { type: 'retry' })) ?? row;
    },

    /**
     * For the operator: ends a send that may never arrive. It is rejected, and the customer sees `reason`. If it may
     * have arrived already, it is looked up first.
     * @returns the resulting row: `done` when the service has it; null when it is being sent or has ended
     */
    giveUp: async (row: OperationRow, reason: RefusalCode): Promise<OperationRow | null> =>
      decide(row, await lookUp(row), { type: 'given_up', reason }),
  };
}

export type Delivery = ReturnType<typeof createDelivery>;
