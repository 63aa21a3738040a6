import type { Session as SessionView } from '../../../shared/contract/session.ts';
import type { MessageFile } from '../../../shared/contract/files.ts';
import type { Message, Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import { isoTime } from '../clock.ts';
import { type CodeMailer, mailerOf } from '../identity/codes.ts';
import type { Subject, Subjects } from '../identity/subjects.ts';
import type { Store } from '../store/open.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import { openOnce, type Seal } from '../store/seal.ts';
import type { Grant, HeldGrant } from './grants.ts';
import type { Ownership } from './ownership.ts';
import { type AgentTextHook, splitAgents } from './agent-text.ts';
import { type ReadFiles, type Operations, toMessage, toSummary } from './operations.ts';
import { wholeConversation } from './pages.ts';
import { presentMessages } from './present.ts';
import type { ThreadRead } from './threads.ts';
import type { Transfers } from './transfers.ts';
import { createViewStatements, type DeliveredRow } from './view-statements.ts';

/** The maximum number of tickets whose decrypted facts are cached. They take some megabytes. */
const maxOpened = 5_000;

/** The newest first. Times are ISO 8601 UTC, which sort as texts. */
const activityOf = ({ updated_at }: TicketSummary) => updated_at ?? '';
/** The customer's own tickets come first. */
const byActivity = (a: TicketSummary, b: TicketSummary) =>
  Number(a.colleague ?? false) - Number(b.colleague ?? false) ||
  Number(activityOf(a) < activityOf(b)) - Number(activityOf(a) > activityOf(b));

function toDelivered(row: DeliveredRow, facts: TicketFacts): TicketSummary {
  const { id, key, wrote_at } = row;
  const isColleague = row.colleague === 1;
  const unread = isColleague ? 0 : Math.max(0, row.agent_count - row.read_count);
  const wroteAt = wrote_at === null ? '' : isoTime(wrote_at);
  const updated_at = wroteAt > (facts.updated_at ?? '') ? wroteAt : facts.updated_at;
  const closed = row.closed !== 0;
  const more = isColleague ? ({ colleague: true } as const) : {};
  return { id, key, ...facts, updated_at, unread, state: 'done', can_retry: false, closed, ...more };
}

/** What a summary shows of the sends of one subject to a ticket. */
function sentTo(ticketId: string, sent: readonly OperationRow[]): Pick<DeliveredRow, 'key' | 'wrote_at'> {
  const opening = sent.find((row) => row.kind === 'ticket' && row.upstream_id === ticketId);
  const times = sent.flatMap((row) => (row.kind === 'message' ? (row.finished_at ?? []) : []));
  return { key: opening?.key ?? null, wrote_at: times.length > 0 ? Math.max(...times) : null };
}

/** A part of the BFF that knows more of a ticket. */
export interface ViewHook {
  /** Added to the ticket for this holder, unless a colleague has opened it. */
  ticketView?(held: Pick<Grant, 'subjectId' | 'ticketId'>): Promise<Partial<Ticket>>;
  /** The files that lines below a customer's text name. */
  readLines?(lines: readonly string[]): MessageFile[];
}

/** What a subject sees: their list and their threads. The service's customer record is never used here. */
export function createViews({
  store,
  seal,
  operations,
  ownership,
  transfers,
  subjects,
  brand,
  parts = [],
}: {
  store: Store;
  seal: Seal;
  operations: Operations;
  ownership: Pick<Ownership, 'countClaimable'>;
  transfers: Pick<Transfers, 'count'>;
  subjects: Pick<Subjects, 'findAll'>;
  brand: string | null;
  parts?: readonly (Partial<CodeMailer> & ViewHook & AgentTextHook)[];
}) {
  const statements = createViewStatements(store);
  const openFacts = openOnce(seal, 'tickets.facts', maxOpened);
  /**
   * The summary of a ticket for its holder, with the holder's sends. Null for others, and when the facts cannot be
   * decrypted.
   */
  async function heldTicket(subjectId: string, ticketId: string) {
    const rows = await statements.held(store, { subjectId, ticketId });
    const ticket = rows[0];
    const facts = ticket ? openFacts(ticket.facts_sealed) : null;
    if (!ticket || !facts) return null;
    const sent = rows.filter((row) => row.id !== null) as OperationRow[];
    const summary = toDelivered({ ...ticket, id: ticketId, ...sentTo(ticketId, sent) }, facts);
    const rights = { isTrusted: ticket.trusted === 1, isColleague: ticket.colleague === 1 };
    return { summary, sent, rights };
  }

  const readFiles: ReadFiles = (lines) => {
    const files = parts.flatMap((part) => part.readLines?.(lines) ?? []);
    return files.length > 0 ? { files } : {};
  };

  const reading = { readFiles, splitAgents: (body: string) => splitAgents(parts, body) };

  /** The thread from the recorded sends alone, without a read of the service. */
  const withoutRead = (sent: readonly OperationRow[]) => ({
    messages: sent.filter((row) => row.payload_sealed).map((row) => toMessage(seal, row, readFiles)),
    ...wholeConversation,
    read_at: null,
  });

  async function unreadBySubject(subjectIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await statements.unread(store, { subjectIds: JSON.stringify(subjectIds) });
    return new Map(rows.map((row) => [row.subject_id, row.count]));
  }

  const offers = () => ({ brand, email_code: mailerOf(parts) !== undefined });
  function toSession(
    subject: Subject,
    counts: Pick<SessionView, 'unread' | 'claimable' | 'transferable'>,
  ): SessionView {
    const { contact, isVerified: verified, owner, hasLost: moved } = subject;
    return { customer: contact && { ...contact, verified, owner }, ...counts, moved, ...offers() };
  }

  return {
    /** Newest activity first, with tickets that are not delivered yet. */
    async list(subjectId: string): Promise<TicketSummary[]> {
      const rows = await statements.list(store, { subjectId });
      const all = rows.flatMap((row) => {
        if (row.facts_sealed === null) return [toSummary(seal, row)];
        const facts = openFacts(row.facts_sealed);
        return facts ? [toDelivered(row, facts)] : [];
      });
      return all.sort(byActivity);
    },

    async summary({ subjectId, ticketId }: Grant): Promise<TicketSummary | null> {
      return (await heldTicket(subjectId, ticketId))?.summary ?? null;
    },

    /**
     * The whole thread of a ticket that the service has; null for subjects that do not hold it, and when its facts
     * cannot be decrypted. Without a `read`: the sends whose texts are not erased yet.
     */
    async ticket(
      { subjectId, ticketId }: Pick<Grant, 'subjectId' | 'ticketId'>,
      read: ThreadRead | null,
    ): Promise<Ticket | null> {
      const ticket = await heldTicket(subjectId, ticketId);
      if (!ticket) return null;
      const { summary, sent, rights } = ticket;
      if (!read) return { ...summary, ...withoutRead(sent) };
      const more: Partial<Ticket> = {};
      if (!rights.isColleague)
        for (const part of parts) Object.assign(more, await part.ticketView?.({ subjectId, ticketId }));
      return {
        ...summary,
        ...more,
        ...wholeConversation,
        messages: presentMessages(read.thread, read.readAt, sent, { ...rights, seal, ...reading }),
        read_at: isoTime(read.readAt),
        closed: read.isClosed,
      };
    },

    /** A ticket as known from the operation that opens it, with the replies that wait for it. */
    async openedTicket(opening: OperationRow): Promise<Ticket> {
      const { subject_id, ticket_id } = opening;
      const ticket = ticket_id === null ? null : await heldTicket(subject_id, ticket_id);
      const replies =
        ticket?.sent.filter((row) => row.opened_by === opening.id) ?? (await operations.repliesTo(opening));
      return {
        ...(ticket?.summary ?? toSummary(seal, opening)),
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

    sentMessage: (row: OperationRow): Message => toMessage(seal, row, readFiles),

    /** `sessionId`: of the browser that asks; tickets are offered to a single browser. */
    async session(subject: Subject | null, sessionId?: string): Promise<SessionView> {
      if (!subject)
        return { customer: null, unread: 0, claimable: 0, transferable: 0, moved: false, ...offers() };
      const { id } = subject;
      const unread = (await unreadBySubject([id])).get(id) ?? 0;
      const claimable = (await ownership.countClaimable([subject])).get(id) ?? 0;
      // Only who has signed in can have tickets from before.
      const isAsked = sessionId !== undefined && subject.isSignedIn;
      const transferable = isAsked ? ((await transfers.count([sessionId])).get(sessionId) ?? 0) : 0;
      return toSession(subject, { unread, claimable, transferable });
    },

    /**
     * The same for many sessions. Returns a function that gives the view of one session, or null when its subject no
     * longer exists. Sessions of one subject share their view, except those that tickets are offered to.
     */
    async sessions(
      all: readonly { subjectId: string; sessionId: string }[],
    ): Promise<(one: { subjectId: string; sessionId: string }) => SessionView | null> {
      const subjectIds = [...new Set(all.map(({ subjectId }) => subjectId))];
      const found = await subjects.findAll(subjectIds);
      const unread = await unreadBySubject(subjectIds);
      const claimable = await ownership.countClaimable(found.values());
      const transferable = await transfers.count(all.map(({ sessionId }) => sessionId));
      const shared = new Map<string, SessionView>();
      for (const [id, subject] of found) {
        const counts = { unread: unread.get(id) ?? 0, claimable: claimable.get(id) ?? 0, transferable: 0 };
        shared.set(id, toSession(subject, counts));
      }
      return ({ subjectId, sessionId }) => {
        const view = shared.get(subjectId);
        const count = transferable.get(sessionId);
        if (!view || !count) return view ?? null;
        return { ...view, transferable: count };
      };
    },

    /**
     * The sends of these holders of one ticket, and its summary for each holder's list. The summary is null when the
     * facts cannot be decrypted.
     */
    async ofHolders(ticketId: string, subjectIds: readonly string[]) {
      const [row] = await statements.ticket(store, { ticketId });
      const facts = row ? openFacts(row.facts_sealed) : null;
      const sentBy = await operations.toTicketOf(subjectIds, ticketId);
      const sentOf = (subjectId: string) => sentBy.get(subjectId) ?? [];
      return {
        sentOf,
        summaryOf({ subjectId, readCount, isColleague }: HeldGrant): TicketSummary | null {
          if (!row || !facts) return null;
          const held = { read_count: readCount, colleague: Number(isColleague) };
          return toDelivered({ ...row, ...held, ...sentTo(ticketId, sentOf(subjectId)) }, facts);
        },
      };
    },

    /** The messages of a thread that the holder of the grant may see. `sent`: the holder's sends to the ticket. */
    messages: (grant: Grant, { thread, readAt }: ThreadRead, sent: readonly OperationRow[]): Message[] =>
      presentMessages(thread, readAt, sent, { ...grant, seal, ...reading }),
  };
}

export type Views = ReturnType<typeof createViews>;
