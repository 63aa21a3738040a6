import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerEvents } from '../contract/events.ts';
import type { Ticket } from '../contract/tickets.ts';
import type { Sessions } from '../session/sessions.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Grants } from '../tickets/grants.ts';
import { toMessage, toOperation, toSummary } from '../tickets/operations.ts';
import type { ThreadRead, Threads } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';
import type { Subscriber } from './hub.ts';

export interface PublishDeps {
  grants: Grants;
  views: Views;
  threads: Threads;
  sessions: Pick<Sessions, 'subject'>;
  seal: Seal;
  brand: string | null;
}

const patienceMs = 1_500;

const messageId = (ticketId: string, message: ServerEvents['message']['message']) =>
  `${ticketId}/${message.id ?? message.key}`;

/** Turns what happened into events for one subscriber; each first asks whether that subscriber may still see it. */
export function createPublisher({ grants, views, threads, sessions, seal, brand }: PublishDeps) {
  async function sessionOf(to: Subscriber) {
    return views.session(await sessions.subject(to.subjectId), brand);
  }

  /** The list must not wait for a service that takes its time: the thread then comes with a later `sync`. */
  const readSoon = (ticketId: string) =>
    Promise.race([threads.read(ticketId, 1000), sleep(patienceMs, null, { ref: false })]).catch(() => null);

  const isStale = (ticketId: string | null) =>
    ticketId !== null && threads.known(ticketId)?.isFresh === false;

  return {
    /** Everything that the screen needs; first on every stream. */
    async sync(to: Subscriber): Promise<void> {
      const subject = await sessions.subject(to.subjectId);
      const grant = to.thread ? await grants.find(to.subjectId, to.thread) : null;
      const read = grant && (await readSoon(grant.ticketId));
      const thread: Ticket | null = grant && read && (await views.ticket(grant, read, subject));
      const tickets = await views.list(to.subjectId);
      const session = await views.session(subject, brand);
      to.send('sync', { session, tickets, thread });
      for (const ticket of tickets) to.remember('ticket', ticket.id ?? ticket.key!, ticket);
      for (const message of thread?.messages ?? [])
        to.remember('message', messageId(thread!.id!, message), { ticket_id: thread!.id!, message });
      to.remember('session', '', session);
      const isFresh = grant ? read?.isFresh === true : !tickets.some(({ id }) => isStale(id));
      to.sendChanged('freshness', '', { fresh: isFresh });
      to.hasThread = thread !== null;
    },

    /** What of a ticket has changed for them; false when it is not theirs any more. */
    async ticket(to: Subscriber, ticketId: string, read: ThreadRead | undefined): Promise<boolean> {
      const grant = await grants.find(to.subjectId, ticketId);
      if (!grant) return false;
      if (read && to.thread === ticketId && !to.hasThread) {
        await this.sync(to);
        return true;
      }
      if (read && to.thread === ticketId) {
        const ticket = await views.ticket(grant, read, await sessions.subject(to.subjectId));
        for (const message of ticket?.messages ?? [])
          to.sendChanged('message', messageId(ticketId, message), { ticket_id: ticketId, message });
      }
      const summary = await views.summary(grant);
      if (summary) to.sendChanged('ticket', ticketId, summary);
      to.sendChanged('session', '', await sessionOf(to));
      return true;
    },

    /** Where a send of theirs now stands. */
    async operation(to: Subscriber, row: OperationRow): Promise<void> {
      to.send('operation', toOperation(row));
      if (row.kind === 'ticket' && row.state !== 'done')
        to.sendChanged('ticket', row.key, toSummary(seal, row));
      if (row.kind !== 'message' || row.ticket_id === null || to.thread !== row.ticket_id) return;
      const message = toMessage(seal, row);
      to.sendChanged('message', messageId(row.ticket_id, message), { ticket_id: row.ticket_id, message });
    },

    async ended(to: Subscriber): Promise<void> {
      to.send('session', await views.session(null, brand));
      to.end();
    },
  };
}

export type Publisher = ReturnType<typeof createPublisher>;
