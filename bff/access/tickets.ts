import type { ServerResponse } from 'node:http';
import type {
  Message,
  NewMessage,
  NewTicket,
  Operation,
  Ticket,
  TicketSummary,
} from '../contract/tickets.ts';
import type { Delivery } from '../delivery/deliver.ts';
import { AppError } from '../errors.ts';
import type { ConnectionLimits } from '../limits/connections.ts';
import type { OnScreen } from '../live/hub.ts';
import type { Live } from '../live/live.ts';
import type { NewSession } from '../session/sessions.ts';
import type { Subjects } from '../session/subjects.ts';
import type { Grants } from '../tickets/grants.ts';
import { findHold, type Hold } from '../tickets/holds.ts';
import { type Operations, toOperation } from '../tickets/operations.ts';
import { pageOf } from '../tickets/pages.ts';
import { agentMessagesUpTo } from '../tickets/present.ts';
import type { Threads } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';
import type { Admission } from './admission.ts';
import { sessionOf, type Visitor } from './visitor.ts';

const freshEnoughMs = 1_000;
/** What came before changes rarely: a customer who goes back through a long conversation costs no read for each page. */
const earlierFreshMs = 60_000;

interface Deps {
  grants: Grants;
  operations: Operations;
  views: Views;
  threads: Threads;
  subjects: Subjects;
  delivery: Delivery;
  live: Live;
  admission: Admission;
  connections: ConnectionLimits;
}

/**
 * Everything that a visitor may do with tickets: the one way from a request to a ticket, the stream included. Each
 * verb starts with the visitor's session, or with what `hold` found for it.
 */
export function createTicketAccess(deps: Deps) {
  const { grants, operations, views, threads, subjects, delivery, live, admission, connections } = deps;

  /** What stands in the ledger under this key is answered from it: a send counts once, and only when it is recorded. */
  async function counted<T>(
    key: string,
    take: () => Promise<() => Promise<void>>,
    send: () => Promise<T>,
  ): Promise<T> {
    if (await operations.isKnown(key)) return send();
    const giveBack = await take();
    try {
      return await send();
    } catch (error) {
      if (!(await operations.isKnown(key).catch(() => false))) await giveBack();
      throw error;
    }
  }

  async function operationOf(visitor: Visitor, key: string) {
    const row = await operations.find(sessionOf(visitor).subjectId, key);
    if (!row) throw new AppError('not_found');
    return row;
  }

  return {
    list: (visitor: Visitor): Promise<TicketSummary[]> => views.list(sessionOf(visitor).subjectId),

    /** Works without a session: the first ticket makes one (`issued`). */
    async open(
      visitor: Visitor,
      key: string,
      payload: NewTicket,
    ): Promise<{ ticket: Ticket; isDone: boolean; issued: NewSession | null }> {
      const { website, ...ticket } = payload;
      const { session } = visitor;
      // A customer whose session has ended can get it back; a new one in its place would make them a stranger.
      if (visitor.isStale) throw new AppError('unauthenticated');
      // A repeat without a session may get another one, and those are counted.
      if (!session && (await operations.isKnown(key)))
        await admission.take(visitor, [{ policy: 'sessions-ip', key: visitor.address }]);
      const subject = session && (await subjects.find(session.subjectId));
      const mailbox = subjects.mailboxHash(ticket.customer_email);
      const opened = await counted(
        key,
        () => admission.ticket(visitor, subject, mailbox, Boolean(website)),
        () => delivery.openTicket(session, visitor.isBearer, key, ticket),
      );
      return {
        ticket: await (opened.isOwn ? views.openedTicket : views.takenTicket)(opened.operation),
        isDone: opened.operation.state === 'done',
        issued: opened.issued,
      };
    },

    /**
     * What opens one ticket to the visitor. `ref`: its id, or the key that opens it.
     * @throws {AppError} the same `not_found` for a foreign, an unknown and a malformed one
     */
    async hold(visitor: Visitor, ref: string): Promise<Hold> {
      const hold = await findHold(deps, sessionOf(visitor).subjectId, ref);
      if (!hold) throw new AppError('not_found');
      return hold;
    },

    /** The newest messages, or those right before the message `before`; the whole where that is null. */
    async read(hold: Hold, before: string | null): Promise<Ticket> {
      if ('opening' in hold) return pageOf(await views.openedTicket(hold.opening), { before });
      const { grant } = hold;
      const maxAgeMs = before ? earlierFreshMs : freshEnoughMs;
      const ticket = await views.ticket(grant, await threads.read(grant.ticketId, maxAgeMs));
      if (!ticket) throw new AppError('not_found');
      return pageOf(ticket, { before });
    },

    async reply(
      visitor: Visitor,
      hold: Hold,
      key: string,
      payload: NewMessage,
    ): Promise<{ message: Message; isDone: boolean }> {
      const session = sessionOf(visitor);
      const to = 'grant' in hold ? { ticketId: hold.grant.ticketId } : { openedBy: hold.opening.id };
      const sent = await counted(
        key,
        () => admission.message(visitor),
        () => delivery.reply(session, to, key, payload),
      );
      return { message: views.sentMessage(sent), isDone: sent.state === 'done' };
    },

    /**
     * All up to this message was on screen.
     * @throws {AppError} `upstream_unavailable` while nothing of the conversation could be read
     */
    async markRead(hold: Hold, messageId: string): Promise<TicketSummary | null> {
      if ('opening' in hold) throw new AppError('not_found');
      const { grant } = hold;
      const read = await threads.read(grant.ticketId, Infinity);
      if (!read) throw new AppError('upstream_unavailable');
      await grants.markRead(grant, agentMessagesUpTo(read.thread, messageId));
      await live.refresh(grant.subjectId, grant.ticketId);
      return views.summary(grant);
    },

    async operation(visitor: Visitor, key: string): Promise<Operation> {
      return toOperation(await operationOf(visitor, key));
    },

    /** The customer's "Send again". */
    async retry(visitor: Visitor, key: string): Promise<Operation> {
      return toOperation(await delivery.retry(await operationOf(visitor, key)));
    },

    /** Makes the raw response a stream of what happens to the visitor's tickets. */
    async stream(visitor: Visitor, onScreen: OnScreen, response: ServerResponse): Promise<void> {
      const session = sessionOf(visitor);
      response.on('close', connections.take(session.id, visitor.address));
      await live.open(response, session, onScreen);
    },
  };
}

export type TicketAccess = ReturnType<typeof createTicketAccess>;
