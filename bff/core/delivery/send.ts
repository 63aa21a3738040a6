import { setTimeout as sleep } from 'node:timers/promises';
import type { AcceptedMessage, AcceptedTicket } from '../../../shared/contract/accepted.ts';
import { LoggableError } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { addFooter, isPerhapsTooLong } from '../tickets/footer.ts';
import { linesOf, payloadOf, textSent } from '../tickets/operations.ts';
import type { Threads } from '../tickets/threads.ts';
import type { V1Client, V1NewTicket } from '../v1/client.ts';
import type { V1Failure } from '../v1/failure.ts';
import type { ClaimedOperation, Ledger, LedgerEvent, Upstream } from './ledger.ts';
import { firstLookMs } from './machine.ts';
import {
  isAnswerToReply,
  isAnswerToTicket,
  lookForMessage,
  lookForTicket,
  ticketFacts,
  type Verdict,
} from './settle.ts';

export interface SendDeps {
  v1: V1Client;
  ledger: Ledger;
  seal: Seal;
  threads: Threads;
  hasFooter: boolean;
  now: () => number;
  elapsed: () => number;
}

/** The result of one step of an operation, before its outcome is recorded. */
export interface Step {
  /**
   * What requests that wait are told while the outcome cannot be recorded: the operation, `done` if the service has just
   * confirmed it, else as it is during the step.
   */
  row: OperationRow;
  /** Whether the service gave a clear answer, for the breaker; null when there was nothing to ask it. */
  isAnswered: boolean | null;
  /** Records the outcome; null when another process has changed the operation. May be called again when it throws. */
  record: () => Promise<OperationRow | null>;
}

/** A reply as the service gets it. */
type SentReply = { body: string };

/** Whether it is a reply to a ticket that the service has refused, or does not have yet. */
const hasNoTicket = ({ kind, ticket_id }: OperationRow) => kind === 'message' && ticket_id === null;

/** Sends one operation, or looks up whether it arrived. */
export function createSender(deps: SendDeps) {
  const { v1, ledger, seal, threads, hasFooter, now, elapsed } = deps;
  const reading = { v1, ledger, now };

  function toTicket(row: OperationRow, payload: AcceptedTicket, isVerified: boolean): V1NewTicket {
    const { details = [], priority: topicPriority } = payload.form ?? {};
    const priority = payload.priority ?? topicPriority;
    const { page_url: pageUrl, page_title: pageTitle, attributes: said } = payload.context ?? {};
    const verified = payload.verified_attributes;
    const all = [...details, ...linesOf(payload)];
    const facts = { isVerified, pageUrl, ref: row.ref, details: all, pageTitle, verified, said };
    return {
      subject: payload.subject,
      description: hasFooter ? addFooter(payload.description, facts) : textSent(payload),
      customer_email: payload.customer_email,
      ...(payload.customer_name ? { customer_name: payload.customer_name } : {}),
      ...(priority ? { priority } : {}),
    };
  }

  function open(row: OperationRow): AcceptedTicket | AcceptedMessage {
    const payload = payloadOf(seal, row);
    if (!payload) throw new LoggableError('the text of a send cannot be opened');
    return payload;
  }

  /**
   * Checks both clocks: the wall clock may have been set, and the monotonic clock stops while the computer sleeps.
   */
  const hasLease = (row: ClaimedOperation) =>
    now() < row.lease_until! && elapsed() - row.leasedSince < row.lease_until! - row.started_at!;

  async function post(
    row: ClaimedOperation,
    payload: V1NewTicket | SentReply,
  ): Promise<Upstream | V1Failure | 'unrelated'> {
    // A process that was suspended must no longer send: another process may have leased the operation.
    if (!hasLease(row)) return { kind: 'not_connected' };
    if ('body' in payload) {
      const result = await v1.addMessage(row.ticket_id!, payload.body);
      if (!result.ok) return explain(result.failure, payload);
      const isAnswer = await isAnswerToReply(reading, row, payload.body, result.data);
      return isAnswer ? { id: result.data.id, facts: null } : 'unrelated';
    }
    const result = await v1.createTicket(payload);
    if (!result.ok) return explain(result.failure, payload);
    const isAnswer = await isAnswerToTicket(reading, row, payload, result.data);
    return isAnswer ? { id: result.data.id, facts: ticketFacts(result.data) } : 'unrelated';
  }

  /** v1 does not define how a service refuses a text that is too long: it may answer a plain 400 or 422. */
  function explain(failure: V1Failure, payload: V1NewTicket | SentReply): V1Failure {
    const isUnexplained = failure.kind === 'refused' && (failure.status === 400 || failure.status === 422);
    return isUnexplained && isPerhapsTooLong(payload) ? { kind: 'refused', status: 413 } : failure;
  }

  async function recordFailure(row: OperationRow, failure: V1Failure): Promise<OperationRow | null> {
    const status = failure.kind === 'refused' ? failure.status : null;
    if (row.ticket_id && (status === 404 || status === 409))
      await threads.close(row.ticket_id, status === 404 ? 'gone' : 'merged');
    return ledger.move(row, { type: 'failed', failure });
  }

  /**
   * Records what was found, or else another event: an operation with the same text may have recorded the id. Left as it
   * is, the send would be repeated after its lease.
   */
  const recordFound = async (row: OperationRow, upstream: Upstream, otherwise: LedgerEvent) =>
    (await ledger.move(row, { type: 'found', upstream })) ?? ledger.move(row, otherwise);

  /** Reads the service to decide about an operation in doubt. `isAsked`: the customer pressed "Send again". */
  async function lookUp(row: OperationRow, isAsked = false): Promise<Verdict> {
    const payload = open(row);
    if (hasNoTicket(row)) return { type: 'absent', proves: true, ageMs: Infinity };
    const asked = { ...reading, isAsked };
    return 'body' in payload
      ? lookForMessage(asked, row, textSent(payload))
      : // What agents read of the sender is not compared.
        lookForTicket(asked, row, toTicket(row, payload, false));
  }

  /**
   * Looks for a send whose answer was about another request. If it is not found, the customer decides: a service that
   * rewrites texts may have it.
   */
  async function afterUnrelatedAnswer(row: OperationRow): Promise<Step> {
    await sleep(firstLookMs);
    const verdict = await lookUp(row);
    const unrelated = { type: 'unrelated' } as const;
    return {
      row,
      isAnswered: verdict.type !== 'unreadable',
      record: () =>
        verdict.type === 'found'
          ? recordFound(row, verdict.upstream, unrelated)
          : ledger.move(row, unrelated),
    };
  }

  return {
    lookUp,

    /** Claims an accepted operation, and sends it. */
    async send(row: OperationRow): Promise<Step> {
      const payload = open(row);
      const claimed = await ledger.claim(row, {
        seen_ids: JSON.stringify(
          threads.known(row.ticket_id ?? '')?.thread.messages.map(({ id }) => id) ?? [],
        ),
        started_there: v1.serviceNow(),
        with_ref: Number(hasFooter),
      });
      // SECURITY: a former holder cannot write to a ticket that its owner has claimed.
      if (!claimed) return { row, isAnswered: null, record: () => ledger.move(row, { type: 'revoked' }) };
      const outcome = await post(
        claimed,
        'body' in payload ? { body: textSent(payload) } : toTicket(claimed, payload, claimed.isProven),
      );
      failpoint('answered');
      if (outcome === 'unrelated') return afterUnrelatedAnswer(claimed);
      if ('kind' in outcome) {
        const isAnswered = outcome.kind === 'refused';
        return { row: claimed, isAnswered, record: () => recordFailure(claimed, outcome) };
      }
      // If another operation has recorded this id, the other message must be found.
      const failure = { kind: 'uncertain', reason: 'id taken' } as const;
      return {
        row: { ...claimed, state: 'done', upstream_id: row.kind === 'message' ? outcome.id : null },
        isAnswered: true,
        record: () => recordFound(claimed, outcome, { type: 'failed', failure }),
      };
    },

    /** Null when another process has changed the operation. */
    async settle(row: OperationRow): Promise<Step | null> {
      const taken = await ledger.lease(row);
      if (!taken) return null;
      const verdict = await lookUp(taken);
      failpoint('looked');
      return {
        row: taken,
        isAnswered: hasNoTicket(taken) ? null : verdict.type !== 'unreadable',
        record: () => ledger.move(taken, verdict),
      };
    },
  };
}

export type Sender = ReturnType<typeof createSender>;
