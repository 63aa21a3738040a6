import type { NewMessage, NewTicket } from '../contract/tickets.ts';
import type { Subjects } from '../session/subjects.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { addFooter } from '../tickets/footer.ts';
import type { Grants } from '../tickets/grants.ts';
import { payloadOf } from '../tickets/operations.ts';
import type { Threads } from '../tickets/threads.ts';
import type { V1Client, V1NewTicket } from '../v1/client.ts';
import type { V1Failure } from '../v1/failure.ts';
import type { Ledger } from './ledger.ts';
import { lookForMessage, lookForTicket, ticketFacts, type Verdict } from './settle.ts';

export interface SendDeps {
  v1: V1Client;
  ledger: Ledger;
  seal: Seal;
  threads: Threads;
  subjects: Pick<Subjects, 'find'>;
  grants: Pick<Grants, 'find'>;
  hasFooter: boolean;
  now: () => number;
}

/** One step of one operation: send it, or look whether it arrived. Each returns the row as it then stands. */
export function createSender(deps: SendDeps) {
  const { v1, ledger, seal, threads, subjects, grants, hasFooter, now } = deps;

  async function toTicket(row: OperationRow, payload: NewTicket): Promise<V1NewTicket> {
    const { addressHash } = await subjects.find(row.subject_id);
    const isVerified = addressHash !== null && addressHash === row.address_hash;
    const facts = { isVerified, pageUrl: payload.context?.page_url, ref: row.ref };
    return {
      subject: payload.subject,
      description: addFooter(payload.description, hasFooter ? facts : null),
      customer_email: payload.customer_email,
      ...(payload.customer_name ? { customer_name: payload.customer_name } : {}),
      ...(payload.priority ? { priority: payload.priority } : {}),
    };
  }

  async function post(row: OperationRow, payload: NewTicket | NewMessage) {
    if (row.kind === 'message') {
      const result = await v1.addMessage(row.ticket_id!, (payload as NewMessage).body);
      return result.ok ? { upstream: { id: result.data.id, facts: null } } : result;
    }
    const result = await v1.createTicket(await toTicket(row, payload as NewTicket));
    return result.ok ? { upstream: { id: result.data.id, facts: ticketFacts(result.data) } } : result;
  }

  async function afterFailure(row: OperationRow, failure: V1Failure) {
    const isClosed = failure.kind === 'refused' && (failure.status === 404 || failure.status === 409);
    if (isClosed && row.ticket_id) await threads.close(row.ticket_id);
    return ledger.move(row, { type: 'failed', failure });
  }

  function open(row: OperationRow): NewTicket | NewMessage {
    const payload = payloadOf(seal, row);
    if (!payload) throw new Error(`the text of operation ${row.id} cannot be opened`);
    return payload;
  }

  /** What reading the service tells of an operation in doubt. */
  async function look(row: OperationRow): Promise<Verdict> {
    const payload = open(row);
    return row.kind === 'message'
      ? lookForMessage({ v1, ledger, now }, row, payload as NewMessage)
      : lookForTicket({ v1, ledger, now }, row, await toTicket(row, payload as NewTicket));
  }

  return {
    look,

    async send(row: OperationRow): Promise<OperationRow | null> {
      // A ticket that was claimed by its owner since: words of whoever held it before do not enter it.
      if (row.ticket_id && !(await grants.find(row.subject_id, row.ticket_id)))
        return ledger.move(row, { type: 'revoked' });
      const payload = open(row);
      const seenIds = threads.known(row.ticket_id ?? '')?.thread.messages.map(({ id }) => id) ?? [];
      const sending = await ledger.begin(row, seenIds);
      if (!sending) return null;
      const outcome = await post(sending, payload);
      if ('failure' in outcome) return afterFailure(sending, outcome.failure);
      // Its id is claimed already: by an operation of the same text that took ours for its own. Look for another.
      const claimed = { kind: 'uncertain', reason: 'id claimed' } as const;
      return (
        (await ledger.complete(sending, 'confirmed', outcome.upstream)) ??
        ledger.move(sending, { type: 'failed', failure: claimed })
      );
    },

    async settle(row: OperationRow): Promise<OperationRow | null> {
      const verdict = await look(row);
      if (verdict.type === 'found') return ledger.complete(row, 'found', verdict.upstream);
      return ledger.move(row, verdict);
    },
  };
}

export type Sender = ReturnType<typeof createSender>;
