import { type ExpressionBuilder, sql } from 'kysely';
import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import type { AcceptedMessage, AcceptedTicket } from '../../../shared/contract/accepted.ts';
import type { Message, Operation, TicketSummary } from '../../../shared/contract/tickets.ts';
import { isoTime } from '../clock.ts';
import type { Store } from '../store/open.ts';
import { listOf } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';
import type { OperationRow, Tables } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import { cut, shorten } from '../text/canonical.ts';
import { isWithheld, mailIn } from './by-mail.ts';
import { addLines } from './footer.ts';

/** Sends as their customer sees them: as an operation, a message of a thread, or a line of the list. */

const previewLength = 140;
/** Only the beginning of a text is read for its preview. */
const previewedLength = 2_000;

/** The first words of a message, without marks of formatting and quoted mails. */
export const previewOf = (body: string, author: 'agent' | 'customer') =>
  shorten(plainText(readMessage(cut(body, previewedLength), author), { isShort: true }), previewLength);

/** Whether the send is not tried again without its customer's decision. */
export const canRetry = (row: Pick<OperationRow, 'state' | 'due_at'>) =>
  (row.state === 'accepted' || row.state === 'unknown') && row.due_at === null;

/** Whether the send is not known to be at the service, and its text is not erased yet. */
export const isUnderway = (row: OperationRow) => row.state !== 'done' && row.payload_sealed !== null;

/** The content of a send. Null once erased. */
export function payloadOf(
  seal: Seal,
  row: Pick<OperationRow, 'payload_sealed'>,
): AcceptedTicket | AcceptedMessage | null {
  return row.payload_sealed ? seal.open('operations.payload', row.payload_sealed) : null;
}

/** The text of a send: the description of a ticket, or the body of a reply. */
const bodyOf = (payload: AcceptedTicket | AcceptedMessage) =>
  'body' in payload ? payload.body : payload.description;

/** The lines for agents below a text, except those of a form. */
export const linesOf = ({ mail = [], files }: AcceptedTicket | AcceptedMessage): string[] => [
  ...mail,
  ...(files?.lines ?? []),
];

/** The same as it is sent where there are no facts of the sender. */
export const textSent = (payload: AcceptedTicket | AcceptedMessage) =>
  addLines(bodyOf(payload), linesOf(payload));

/** Finds the files that lines below a text name. */
export type ReadFiles = (lines: readonly string[]) => Pick<Message, 'files'>;

/** An agent's text as customers see it, and the files that it names. */
export type SplitAgents = (body: string) => Pick<Message, 'body' | 'files'>;

const errorOf = (row: Pick<OperationRow, 'error'>) => (row.error ? { error: row.error } : {});

export function toOperation(row: OperationRow): Operation {
  return {
    key: row.key,
    kind: row.kind,
    state: row.state,
    ticket_id: row.ticket_id,
    message_id: row.kind === 'message' ? row.upstream_id : null,
    can_retry: canRetry(row),
    ...errorOf(row),
  };
}

export function toMessage(seal: Seal, row: OperationRow, readFiles: ReadFiles): Message {
  const payload = payloadOf(seal, row);
  const hidden = isWithheld(row);
  const lines = payload && !hidden ? linesOf(payload) : [];
  return {
    id: row.kind === 'message' ? row.upstream_id : null,
    key: row.key,
    author_type: 'customer',
    body: payload && !hidden ? bodyOf(payload) : '',
    created_at: isoTime(row.created_at),
    state: row.state,
    can_retry: canRetry(row),
    hidden,
    ...readFiles(lines),
    ...mailIn(lines),
    ...errorOf(row),
  };
}

/** The columns of a ticket's opening send that the list shows. */
export type OpeningRow = Pick<
  OperationRow,
  'key' | 'payload_sealed' | 'created_at' | 'state' | 'due_at' | 'error'
>;

/** The summary of a ticket that is still on its way, or was refused. */
export function toSummary(seal: Seal, row: OpeningRow): TicketSummary {
  const payload = payloadOf(seal, row) as AcceptedTicket | null;
  return {
    id: null,
    key: row.key,
    ticket_number: null,
    subject: payload?.subject ?? '',
    status: 'new',
    priority: payload?.priority ?? payload?.form?.priority ?? null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.created_at),
    unread: 0,
    state: row.state,
    can_retry: canRetry(row),
    closed: false,
    preview: payload ? { author_type: 'customer', text: previewOf(payload.description, 'customer') } : null,
    ...errorOf(row),
  };
}

/** The sender holds the ticket, or the ticket is not known to exist yet. */
const isHeld = ({ eb, exists, or, selectFrom }: ExpressionBuilder<Tables, 'operations'>) =>
  or([
    eb('operations.ticket_id', 'is', null),
    exists(
      selectFrom('grants')
        .select('grants.ticket_id')
        .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
        .whereRef('grants.subject_id', '=', 'operations.subject_id')
        .where('grants.colleague', '=', 0),
    ),
  ]);

/**
 * The sends of a subject that open a ticket and are underway. The conditions are those of `isUnderway`, written as in
 * the index `operations_underway`.
 */
export const underwayTickets = (store: Store, subjectId: string) =>
  store
    .selectFrom('operations')
    .where('subject_id', '=', subjectId)
    .where('kind', '=', 'ticket')
    .where('state', '!=', sql.lit('done'))
    .where('payload_sealed', 'is not', null);

/** Reads sends for their customers. The ledger (`delivery/`) writes them. */
export function createOperations(store: Store) {
  const all = () => store.selectFrom('operations').selectAll();
  const ofSubject = (subjectId: string) => all().where('subject_id', '=', subjectId);
  const byKey = prepare((of: { subjectId: string; key: string }) =>
    ofSubject(of.subjectId).where('key', '=', of.key).where(isHeld),
  );
  const withKey = prepare(({ key }: { key: string }) =>
    store.selectFrom('operations').select('id').where('key', '=', key),
  );
  const byId = prepare(({ id }: { id: string }) => all().where('id', '=', id));
  const toOpening = prepare((of: { subjectId: string; id: string }) =>
    ofSubject(of.subjectId).where('opened_by', '=', of.id).orderBy('seq'),
  );
  const toTicketByMany = prepare((of: { subjectIds: string; ticketId: string }) =>
    all()
      .where('subject_id', 'in', listOf(store, of.subjectIds))
      .where('ticket_id', '=', of.ticketId)
      .orderBy('seq'),
  );
  return {
    /** Undefined for another subject's send, and for a send to a ticket that the subject no longer holds. */
    async find(subjectId: string, key: string): Promise<OperationRow | undefined> {
      return (await byKey(store, { subjectId, key }))[0];
    },

    /** All sends of this subject, oldest first, without those to tickets that it no longer holds. */
    async ofSubject(subjectId: string): Promise<OperationRow[]> {
      return ofSubject(subjectId).where(isHeld).orderBy('seq').execute();
    },

    /** Whether anybody has sent something under this key. */
    async isKnown(key: string): Promise<boolean> {
      return (await withKey(store, { key })).length > 0;
    },
    async byId(id: string): Promise<OperationRow | undefined> {
      return (await byId(store, { id }))[0];
    },
    /**
     * The sends of each of these subjects to one ticket, by subject id, oldest first. They include the send that
     * opened it. Subjects without any are left out.
     */
    async toTicketOf(subjectIds: readonly string[], ticketId: string): Promise<Map<string, OperationRow[]>> {
      const sent = new Map<string, OperationRow[]>();
      for (const row of await toTicketByMany(store, { subjectIds: JSON.stringify(subjectIds), ticketId }))
        sent.set(row.subject_id, [...(sent.get(row.subject_id) ?? []), row]);
      return sent;
    },

    /** Replies of the same subject to the ticket that `opening` is to open, oldest first. */
    async repliesTo(opening: OperationRow): Promise<OperationRow[]> {
      return toOpening(store, { subjectId: opening.subject_id, id: opening.id });
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;

/** Selects the sender's tickets that a change applies to. */
export interface ReassignedFrom {
  subjectId: string;
  /** Only sends of this session. Undefined: sends of any session of the subject. */
  sessionId?: string | undefined;
  /** Only sends to tickets opened under this address. Undefined: all sends. */
  addressHash?: string | undefined;
}

/**
 * Changes of sends when the holders of a ticket change. `delivery` implements them, since it alone writes operations.
 * Each runs in the caller's transaction, `db`.
 */
export interface OperationChanges {
  /** Marks the tickets that the subject holds under its proven address, so that nobody else can claim them. */
  markOwned(subjectId: string, db: Store): Promise<void>;
  /** Makes undecided sends to these tickets due, except those by `ownerId`. They are then refused. */
  endUndecided(ticketIds: readonly string[], ownerId: string, db: Store): Promise<void>;
  /** Makes another subject the sender. */
  reassign(from: ReassignedFrom, toId: string, db: Store): Promise<void>;
}
