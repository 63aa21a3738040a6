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
import type { Live } from '../live/live.ts';
import type { NewSession } from '../session/sessions.ts';
import type { Subjects } from '../session/subjects.ts';
import type { Grant, Grants } from '../tickets/grants.ts';
import { type Operations, toOperation } from '../tickets/operations.ts';
import { agentMessagesUpTo } from '../tickets/present.ts';
import type { Threads } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';
import type { Admission } from './admission.ts';
import { sessionOf, type Visitor } from './visitor.ts';

const freshEnoughMs = 1_000;

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
 * verb starts with the visitor's session and its grant.
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
    ): Promise<{ ticket: Ticket | null; isDone: boolean; issued: NewSession | null }> {
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
        ticket: await views.sentTicket(opened.session.subjectId, key),
        isDone: opened.operation.state === 'done',
        issued: opened.issued,
      };
    },

    /**
     * What opens one ticket to the visitor.
     * @throws {AppError} the same `not_found` for a foreign, an unknown and a malformed id
     */
    async grant(visitor: Visitor, ticketId: string): Promise<Grant> {
      const grant = await grants.find(sessionOf(visitor).subjectId, ticketId);
      if (!grant) throw new AppError('not_found');
      return grant;
    },

    async read(grant: Grant): Promise<Ticket> {
      const ticket = await views.ticket(grant, await threads.read(grant.ticketId, freshEnoughMs));
      if (!ticket) throw new AppError('not_found');
      return ticket;
    },

    async reply(
      visitor: Visitor,
      grant: Grant,
      key: string,
      payload: NewMessage,
    ): Promise<{ message: Message; isDone: boolean }> {
      const session = sessionOf(visitor);
      const { message, operation } = await counted(
        key,
        () => admission.message(visitor),
        () => delivery.reply(session, grant, key, payload),
      );
      return { message, isDone: operation.state === 'done' };
    },

    /** All up to this message was on screen. */
    async markRead(grant: Grant, messageId: string): Promise<TicketSummary | null> {
      const { thread } = await threads.read(grant.ticketId, Infinity);
      await grants.markRead(grant, agentMessagesUpTo(thread, messageId));
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
    async stream(visitor: Visitor, thread: string | null, response: ServerResponse): Promise<void> {
      const session = sessionOf(visitor);
      response.on('close', connections.take(session.id, visitor.address));
      await live.open(response, session, thread);
    },
  };
}

export type TicketAccess = ReturnType<typeof createTicketAccess>;
