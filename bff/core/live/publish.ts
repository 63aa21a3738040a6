import { setTimeout as sleep } from 'node:timers/promises';
import type { Histogram } from 'prom-client';
import type { Message, Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { Sessions } from '../identity/sessions.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { OperationRow } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { Grant, Grants } from '../tickets/grants.ts';
import { createBroadcast, slicesOf, type Viewer } from './viewers.ts';
import { createFanOut, type Refusal, type TicketView } from './fan-out.ts';
import { ThreadEvents, toEvent, toMessageEvent } from './stream-event.ts';
import { toOperation, toSummary } from '../tickets/operations.ts';
import { pageOf } from '../tickets/pages.ts';
import type { ThreadRead, Threads } from '../tickets/threads.ts';
import type { Views } from '../tickets/views.ts';

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
  onError: (error: unknown) => void;
}

const patienceMs = 1_500;

/** Sends events to viewers, each after a check that the viewer may still see it. */
export function createPublisher(deps: PublishDeps) {
  const { grants, views, threads, sessions, subjects, seal, answerDelays, serviceNow, onError } = deps;
  const beginFanOut = createFanOut(deps);
  const broadcast = createBroadcast(onError);

  /** Ends the stream and returns false when the session is over. */
  async function isLive(to: Viewer): Promise<boolean> {
    if (await sessions.find(to.sessionId)) return true;
    await ended(to);
    return false;
  }

  /** The viewer's current grant. */
  async function grantOf(to: Viewer, ticketId: string): Promise<Grant | null> {
    return (await isLive(to)) ? grants.find(to.subjectId, ticketId) : null;
  }

  async function ended(to: Viewer, more: { signed_out?: true } = {}): Promise<void> {
    to.send(toEvent('session', '', { ...(await views.session(null)), ...more }));
    to.end();
  }

  function measureDelay({ author_type: author, created_at: createdAt }: Message): void {
    if (author === 'agent' && createdAt !== null)
      answerDelays.observe(Math.max(0, serviceNow() - Date.parse(createdAt)) / 1_000);
  }

  /** Null when the service is slow: the list must not wait for it. The thread then follows with another `sync`. */
  const readInTime = (ticketId: string) =>
    Promise.race([threads.read(ticketId, 1_000), sleep(patienceMs, null, { ref: false })]).catch(() => null);

  const isStale = (ticketId: string | null) =>
    ticketId !== null && threads.known(ticketId)?.isFresh === false;

  /**
   * Sends everything that the screen needs, as the first event of every stream. Returns the tickets of its list. `late`:
   * the read of the thread that an earlier `sync` did not wait for.
   */
  async function sync(to: Viewer, late?: ThreadRead): Promise<TicketSummary[]> {
    if (!(await isLive(to))) return [];
    const grant = to.thread ? await grants.find(to.subjectId, to.thread) : null;
    const read = grant && (late ?? (await readInTime(grant.ticketId)));
    const thread: Ticket | null = grant && read && (await views.ticket(grant, read));
    const tickets = await views.list(to.subjectId);
    const session = await views.session(await subjects.find(to.subjectId), to.sessionId);
    // A later one may lack what the service has removed: its newest page says so.
    const page = thread && pageOf(thread, { after: to.hasThread ? '' : to.after });
    to.begin(
      toEvent('sync', '', { session, tickets, thread: page }),
      [
        toEvent('session', '', session),
        ...tickets.map((ticket) => toEvent('ticket', ticket.id ?? ticket.key!, ticket)),
      ],
      // The browser has the older messages already, or requests them.
      thread ? new ThreadEvents(thread.id!, thread.messages).sent : undefined,
    );
    const isFresh = grant
      ? read?.isFresh === true
      : // A thread that is not theirs shows nothing, and no read of it would ever say so.
        to.thread !== null || !tickets.some(({ id }) => isStale(id));
    to.sendNew([toEvent('freshness', '', { fresh: isFresh })]);
    if (grant && !isFresh) void syncLate(to, grant.ticketId).catch(onError);
    return tickets;
  }

  /** The turn of this ticket may come minutes later, where many streams came back together. */
  async function syncLate(to: Viewer, ticketId: string): Promise<void> {
    const late = await threads.underWay(ticketId);
    if (late?.isFresh) await broadcast([to], () => sync(to, late));
  }

  /** Returns a promise only if it must wait. */
  function sendView(to: Viewer, view: TicketView | Refusal): Promise<unknown> | undefined {
    if (view === 'ended') return ended(to);
    if (view === 'foreign') return;
    if (view.thread && (!to.hasThread || to.hasMoreThan(view.thread))) return sync(to);
    if (view.thread) to.sendThread(view.thread, view.events).forEach(measureDelay);
    else to.sendNew(view.events);
  }

  return {
    sync,

    /** Sends the changes of a ticket. Returns the viewers who may no longer see it. */
    async ticket(
      to: readonly Viewer[],
      ticketId: string,
      read: ThreadRead | undefined,
    ): Promise<Set<Viewer>> {
      const gone = new Set<Viewer>();
      const lookUp = beginFanOut(ticketId, read);
      function send(viewer: Viewer, view: TicketView | Refusal) {
        if (typeof view === 'string') gone.add(viewer);
        return sendView(viewer, view);
      }
      for await (const slice of slicesOf(to)) {
        const viewOf = await lookUp(slice).catch(() => null);
        if (viewOf) await broadcast(slice, (each) => send(each, viewOf(each)));
        // A failed lookup affects all of its viewers, so each viewer is then looked up alone.
        else await broadcast(slice, async (each) => send(each, (await lookUp([each]))(each)));
      }
      return gone;
    },

    /** Sends the state of one of the viewer's operations; false when they may no longer see its ticket. */
    async operation(to: Viewer, row: OperationRow): Promise<boolean> {
      if (!(row.ticket_id === null ? await isLive(to) : await grantOf(to, row.ticket_id))) return false;
      to.send(toEvent('operation', '', toOperation(row)));
      if (row.kind === 'ticket' && row.state !== 'done')
        to.sendNew([toEvent('ticket', row.key, toSummary(seal, row))]);
      if (row.kind === 'message' && row.ticket_id !== null && to.thread === row.ticket_id)
        to.sendMessage(toMessageEvent(row.ticket_id, views.sentMessage(row)));
      return true;
    },

    /** Sends that the session is over, and ends the stream. */
    ended: (to: Viewer): Promise<void> => ended(to),

    /** Like `ended`, for a session that the customer has ended: no tab may renew it. */
    signedOut: (to: Viewer): Promise<void> => ended(to, { signed_out: true }),
  };
}

export type Publisher = ReturnType<typeof createPublisher>;
