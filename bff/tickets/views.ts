import type { Session as SessionView } from '../contract/session.ts';
import type { Message, Ticket, TicketSummary } from '../contract/tickets.ts';
import type { Subject } from '../session/subjects.ts';
import type { Store } from '../store/open.ts';
import { prepare } from '../store/prepared.ts';
import type { OperationRow } from '../store/schema.ts';
import { openOnce, type Seal } from '../store/seal.ts';
import type { Grant, Grants } from './grants.ts';
import { type Operations, toMessage, toSummary } from './operations.ts';
import { whole } from './pages.ts';
import { presentMessages } from './present.ts';
import type { ThreadRead } from './threads.ts';
import type { Transfers } from './transfers.ts';

/** Tickets whose facts are kept as they were opened last: some megabytes. */
const maxOpened = 5_000;

/** The newest first. Times are ISO 8601 UTC, which sort as texts. */
const activityOf = ({ updated_at }: TicketSummary) => updated_at ?? '';
const byActivity = (a: TicketSummary, b: TicketSummary) =>
  Number(activityOf(a) < activityOf(b)) - Number(activityOf(a) > activityOf(b));

/** What a subject sees: their list and their threads. The service's customer record is never used here. */
export function createViews({
  store,
  seal,
  operations,
  grants,
  transfers,
  config,
}: {
  store: Store;
  seal: Seal;
  operations: Operations;
  grants: Grants;
  transfers: Pick<Transfers, 'count'>;
  config: { brand: string | null; mail: object | null };
}) {
  const openFacts = openOnce(seal, 'tickets.facts', maxOpened);
  const ofSubject = (subjectId: string) =>
    store
      .selectFrom('grants')
      .innerJoin('tickets', 'tickets.id', 'grants.ticket_id')
      .leftJoin('operations', (join) =>
        join
          .onRef('operations.upstream_id', '=', 'tickets.id')
          // As the unique index has it.
          .onRef('operations.ticket_id', '=', 'tickets.id')
          .onRef('operations.subject_id', '=', 'grants.subject_id')
          .on('operations.kind', '=', 'ticket'),
      )
      .select(['tickets.id', 'tickets.closed', 'facts_sealed', 'agent_count', 'read_count', 'operations.key'])
      .select((query) =>
        query
          .selectFrom('operations as own')
          .select(({ fn }) => fn.max('own.finished_at').as('at'))
          .whereRef('own.ticket_id', '=', 'tickets.id')
          .whereRef('own.subject_id', '=', 'grants.subject_id')
          .where('own.kind', '=', 'message')
          .as('wrote_at'),
      )
      .where('grants.subject_id', '=', subjectId);
  const ofAll = prepare((of: { subjectId: string }) => ofSubject(of.subjectId));
  const ofOne = prepare((of: { subjectId: string; ticketId: string }) =>
    ofSubject(of.subjectId).where('tickets.id', '=', of.ticketId),
  );
  const unreadOf = prepare((of: { subjectId: string }) =>
    store
      .selectFrom('grants')
      .innerJoin('tickets', 'tickets.id', 'grants.ticket_id')
      .select(({ eb, fn }) => fn.sum<number | null>(eb('agent_count', '-', eb.ref('read_count'))).as('count'))
      .where('grants.subject_id', '=', of.subjectId)
      .whereRef('agent_count', '>', 'read_count'),
  );

  async function delivered(subjectId: string, ticketId?: string): Promise<TicketSummary[]> {
    const rows = await (ticketId === undefined
      ? ofAll(store, { subjectId })
      : ofOne(store, { subjectId, ticketId }));
    return rows.flatMap((row) => {
      const facts = openFacts(row.facts_sealed);
      if (!facts) return [];
      const unread = Math.max(0, row.agent_count - row.read_count);
      const wroteAt = row.wrote_at === null ? '' : new Date(row.wrote_at).toISOString();
      const updated_at = wroteAt > (facts.updated_at ?? '') ? wroteAt : facts.updated_at;
      const closed = row.closed !== 0;
      return [
        { id: row.id, key: row.key, ...facts, updated_at, unread, state: 'done', can_retry: false, closed },
      ];
    });
  }

  /** What was sent from here, without what the service has. */
  const withoutRead = (sent: readonly OperationRow[]) => ({
    messages: sent.filter((row) => row.payload_sealed).map((row) => toMessage(seal, row)),
    ...whole,
    read_at: null,
  });

  return {
    /** Newest activity first, with tickets that are not delivered yet. */
    async list(subjectId: string): Promise<TicketSummary[]> {
      const underway = await operations.underwayTickets(subjectId);
      const all = [...(await delivered(subjectId)), ...underway.map((row) => toSummary(seal, row))];
      return all.sort(byActivity);
    },

    async summary(grant: Grant): Promise<TicketSummary | null> {
      return (await delivered(grant.subjectId, grant.ticketId))[0] ?? null;
    },

    /**
     * The whole thread of a ticket that the service has; null when its facts cannot be decrypted. Without a `read`: what
     * was sent here and is not erased yet.
     */
    async ticket(grant: Grant, read: ThreadRead | null): Promise<Ticket | null> {
      const [summary] = await delivered(grant.subjectId, grant.ticketId);
      if (!summary) return null;
      const sent = await operations.ofTicket(grant.subjectId, grant.ticketId);
      if (!read) return { ...summary, ...withoutRead(sent) };
      return {
        ...summary,
        messages: presentMessages(read.thread, read.readAt, sent, { isTrusted: grant.isTrusted, seal }),
        ...whole,
        read_at: new Date(read.readAt).toISOString(),
        closed: read.isClosed,
      };
    },

    /** A ticket as known from the operation that opens it, with the replies that wait for it. */
    async openedTicket(opening: OperationRow): Promise<Ticket> {
      const { subject_id, ticket_id } = opening;
      const [summary] = ticket_id === null ? [] : await delivered(subject_id, ticket_id);
      const replies = await operations.repliesTo(opening);
      return {
        ...(summary ?? toSummary(seal, opening)),
        ...withoutRead([opening, ...replies]),
      };
    },

    /**
     * What somebody who repeats a request may know: that it was accepted, and what it contained.
     * SECURITY: nothing that came after it.
     */
    async takenTicket(opening: OperationRow): Promise<Ticket> {
      return { ...toSummary(seal, opening), ...withoutRead([opening]) };
    },

    sentMessage: (row: OperationRow): Message => toMessage(seal, row),

    /** `sessionId`: of the browser that asks; tickets are offered to a single browser. */
    async session(subject: Subject | null, sessionId?: string): Promise<SessionView> {
      const offers = { brand: config.brand, email_code: config.mail !== null };
      if (!subject)
        return { customer: null, unread: 0, claimable: 0, transferable: 0, moved: false, ...offers };
      const [messages] = await unreadOf(store, { subjectId: subject.id });
      const customer = subject.contact && {
        ...subject.contact,
        verified: subject.isVerified,
        owner: subject.owner,
      };
      const claimable = (await grants.claimable(subject)).length;
      const transferable = sessionId ? await transfers.count(sessionId) : 0;
      return {
        customer,
        unread: messages?.count ?? 0,
        claimable,
        transferable,
        moved: subject.hasLost,
        ...offers,
      };
    },
  };
}

export type Views = ReturnType<typeof createViews>;
