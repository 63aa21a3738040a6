import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from 'prom-client';
import type { ServerEvents } from '../contract/events.ts';
import type { Message, Ticket } from '../contract/tickets.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Subjects } from '../session/subjects.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Grant, Grants } from '../tickets/grants.ts';
import { toMessage, toOperation, toSummary } from '../tickets/operations.ts';
import { pageOf } from '../tickets/pages.ts';
import type { ThreadRead, Threads } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';
import type { Subscriber } from './hub.ts';

export interface PublishDeps {
  grants: Grants;
  views: Views;
  threads: Threads;
  sessions: Pick<Sessions, 'find' | 'findLive'>;
  subjects: Pick<Subjects, 'find'>;
  seal: Seal;
  answerDelays: Pick<Histogram, 'observe'>;
  /** The service's clock, Unix milliseconds. */
  serviceNow: () => number;
}

const patienceMs = 1_500;

const messageId = (ticketId: string, message: ServerEvents['message']['message']) =>
  `${ticketId}/${message.id ?? message.key}`;

/** Sends events to one subscriber, each after a check that the subscriber may still see it. */
export function createPublisher(deps: PublishDeps) {
  const { grants, views, threads, sessions, subjects, seal, answerDelays, serviceNow } = deps;

  async function sessionOf(to: Subscriber) {
    return views.session(await subjects.find(to.subjectId), to.sessionId);
  }

  /** Ends the stream and returns false when the session is over. */
  async function isLive(to: Subscriber): Promise<boolean> {
    if (await sessions.find(to.sessionId)) return true;
    await ended(to);
    return false;
  }

  /** The subscriber's grant as of now. */
  async function grantOf(to: Subscriber, ticketId: string): Promise<Grant | null> {
    return (await isLive(to)) ? grants.find(to.subjectId, ticketId) : null;
  }

  async function ended(to: Subscriber): Promise<void> {
    to.send('session', await views.session(null));
    to.end();
  }

  function measureDelay({ author_type: author, created_at: createdAt }: Message): void {
    if (author === 'agent' && createdAt !== null)
      answerDelays.observe(Math.max(0, serviceNow() - Date.parse(createdAt)) / 1_000);
  }

  /** The list must not wait for a slow service: the thread then comes with a later `sync`. */
  const readSoon = (ticketId: string) =>
    Promise.race([threads.read(ticketId, 1000), sleep(patienceMs, null, { ref: false })]).catch(() => null);

  const isStale = (ticketId: string | null) =>
    ticketId !== null && threads.known(ticketId)?.isFresh === false;

  return {
    /** Everything that the screen needs; first on every stream. */
    async sync(to: Subscriber): Promise<void> {
      if (!(await isLive(to))) return;
      const grant = to.thread ? await grantOf(to, to.thread) : null;
      const read = grant && (await readSoon(grant.ticketId));
      const thread: Ticket | null = grant && read && (await views.ticket(grant, read));
      const tickets = await views.list(to.subjectId);
      const session = await sessionOf(to);
      to.send('sync', { session, tickets, thread: thread && pageOf(thread, { after: to.after }) });
      for (const ticket of tickets) to.remember('ticket', ticket.id ?? ticket.key!, ticket);
      // The browser has the older messages already, or requests them.
      for (const message of thread?.messages ?? [])
        to.remember('message', messageId(thread!.id!, message), { ticket_id: thread!.id!, message });
      to.remember('session', '', session);
      const isFresh = grant ? read?.isFresh === true : !tickets.some(({ id }) => isStale(id));
      to.sendChanged('freshness', '', { fresh: isFresh });
      to.hasThread = thread !== null;
    },

    /** Sends what has changed in a ticket; false when the subscriber may no longer see it. */
    async ticket(to: Subscriber, ticketId: string, read: ThreadRead | undefined): Promise<boolean> {
      const grant = await grantOf(to, ticketId);
      if (!grant) return false;
      if (read && to.thread === ticketId && !to.hasThread) {
        await this.sync(to);
        return true;
      }
      if (read && to.thread === ticketId) {
        const ticket = await views.ticket(grant, read);
        for (const message of ticket?.messages ?? [])
          if (to.sendChanged('message', messageId(ticketId, message), { ticket_id: ticketId, message }))
            measureDelay(message);
      }
      const summary = await views.summary(grant);
      if (summary) to.sendChanged('ticket', ticketId, summary);
      to.sendChanged('session', '', await sessionOf(to));
      return true;
    },

    /** Sends the state of one of the subscriber's operations; false when they may no longer see its ticket. */
    async operation(to: Subscriber, row: OperationRow): Promise<boolean> {
      if (!(row.ticket_id === null ? await isLive(to) : await grantOf(to, row.ticket_id))) return false;
      to.send('operation', toOperation(row));
      if (row.kind === 'ticket' && row.state !== 'done')
        to.sendChanged('ticket', row.key, toSummary(seal, row));
      if (row.kind !== 'message' || row.ticket_id === null || to.thread !== row.ticket_id) return true;
      const message = toMessage(seal, row);
      to.sendChanged('message', messageId(row.ticket_id, message), { ticket_id: row.ticket_id, message });
      return true;
    },

    /** Sends that the session is over, and ends the stream. */
    ended,

    /** The same where the customer has ended it: no tab may renew it. */
    async signedOut(to: Subscriber): Promise<void> {
      to.send('session', { ...(await views.session(null)), signed_out: true });
      to.end();
    },
  };
}

export type Publisher = ReturnType<typeof createPublisher>;
