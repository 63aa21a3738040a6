import type { ServerResponse } from 'node:http';
import type { Histogram } from 'prom-client';
import { heartbeatMs } from '../../../shared/contract/events.ts';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import { AppError } from '../errors.ts';
import type { Session } from '../identity/sessions.ts';
import { UnreachableError } from '../store/errors.ts';
import type { OperationRow } from '../store/schema.ts';
import { createPublisher, type PublishDeps } from './publish.ts';
import { StreamWriter } from './stream-writer.ts';
import { createBroadcast, createViewers, type OnScreen, slicesOf, Viewer } from './viewers.ts';
import { createWatches, type WatchDeps } from './watches.ts';

type LiveDeps = PublishDeps & Omit<WatchDeps, 'publisher'> & { streamDurations: Pick<Histogram, 'observe'> };

/**
 * How many tickets are watched for the badge alone, newest activity first. The others are read when they are opened.
 */
const badgeTickets = 10;

/** All streams share these, so nothing may change them. */
const noRawHeaders: string[] = [];
const noHeaders = {};

/** The open streams and what is sent to them. */
export function createLive(deps: LiveDeps) {
  const viewers = createViewers();
  const publisher = createPublisher(deps);
  const watches = createWatches({ ...deps, publisher });
  const broadcast = createBroadcast(deps.onError);

  /** Counted by the writers of all streams. */
  const inAll = { unsentBytes: 0 };
  let isStopped = false;

  const heartbeat = setInterval(() => void beat().catch(endUnseen), heartbeatMs);
  heartbeat.unref();

  /**
   * This instance has lost the database, and other instances may still have it. The browsers then reconnect to those.
   */
  function endUnseen(error: unknown): void {
    deps.onError(error);
    if (error instanceof UnreachableError) endAll();
  }

  function endAll(): void {
    for (const viewer of viewers.all()) viewer.end();
  }

  async function beat(): Promise<void> {
    const all = viewers.all();
    const live = await deps.sessions.findLive(all.map(({ sessionId }) => sessionId));
    for await (const slice of slicesOf(all))
      await broadcast(slice, (viewer) => {
        if (!live.has(viewer.sessionId)) return publisher.ended(viewer);
        viewer.beat();
      });
  }

  function watchAll(viewer: Viewer, tickets: readonly TicketSummary[]): void {
    const ids = tickets.flatMap(({ id }) => id ?? []);
    for (const [at, id] of ids.entries())
      if (at < badgeTickets || id === viewer.thread) watches.add(id, viewer);
  }

  return {
    /**
     * Sends server-sent events on the raw response until either side ends the stream. `headers` are sent together with
     * the stream's own headers. If they were set on the response earlier, Node would keep them in memory as long as the
     * stream is open.
     * @throws {AppError} `overloaded` once the process is ending
     */
    async open(
      response: ServerResponse,
      session: Session,
      onScreen: OnScreen,
      headers: Record<string, string>,
    ): Promise<void> {
      // A request on an old connection: the browser will reconnect to the next process.
      if (isStopped) throw new AppError('overloaded');
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
      // When the headers are sent alone, Node writes them as one text. Otherwise it keeps their fifty parts, which
      // takes a kilobyte more.
      response.flushHeaders();
      // Node keeps the request as long as its response. Nothing reads these again, and a browser's take a kilobyte.
      response.req.rawHeaders = noRawHeaders;
      response.req.headers = noHeaders;
      const writer = new StreamWriter(response, deps.elapsed, inAll);
      const who = { subjectId: session.subjectId, sessionId: session.id, ...onScreen };
      const viewer = new Viewer(who, writer);
      viewers.add(viewer);
      const openedAt = deps.elapsed();
      response.on('close', () => {
        viewers.remove(viewer);
        watches.removeViewer(viewer);
        writer.forget();
        deps.streamDurations.observe((deps.elapsed() - openedAt) / 1_000);
      });
      response.on('error', () => response.destroy());
      try {
        const tickets = await publisher.sync(viewer);
        if (!response.destroyed) watchAll(viewer, tickets);
      } catch (error) {
        // The response has begun, so no error can be answered.
        deps.onError(error);
        response.destroy();
      }
    },

    /** A send has changed: publishes it to its subject, and reads the ticket at once. */
    async operation(row: OperationRow): Promise<void> {
      const recipients: Viewer[] = [];
      await broadcast(viewers.of(row.subject_id), async (viewer) => {
        if (await publisher.operation(viewer, row)) recipients.push(viewer);
      });
      // A refusal may mean that the ticket takes no more replies.
      if ((row.state !== 'done' && row.state !== 'rejected') || row.ticket_id === null) return;
      for (const viewer of recipients) watches.add(row.ticket_id, viewer);
      if (recipients.length > 0) watches.hint(row.ticket_id);
      await publisher.ticket(recipients, row.ticket_id, deps.threads.known(row.ticket_id));
    },

    /** This subject's own view of a ticket changed, such as by reading it. */
    async refresh(subjectId: string, ticketId: string): Promise<void> {
      await publisher.ticket(viewers.of(subjectId), ticketId, deps.threads.known(ticketId));
    },

    /** Ends the streams of a session that was signed out, after a `session` event. */
    async endSession(session: Pick<Session, 'id' | 'subjectId'>): Promise<void> {
      const theirs = viewers.of(session.subjectId).filter(({ sessionId }) => sessionId === session.id);
      await broadcast(theirs, publisher.signedOut);
    },

    /** Ends the streams of all sessions of a subject in the same way. */
    async endSessions(subjectId: string): Promise<void> {
      await broadcast(viewers.of(subjectId), publisher.signedOut);
    },

    /** Ends a subject's streams because its tickets have changed: the browsers reconnect and get the new list. */
    restart(subjectId: string): void {
      for (const viewer of viewers.of(subjectId)) viewer.end();
    },

    /** Ends all streams, because changes may have been missed. The browsers reconnect and read everything again. */
    restartAll: endAll,

    /** The ticket may have changed: reads it at once if a viewer of this instance watches it. */
    async hint(ticketId: string): Promise<void> {
      watches.hint(ticketId);
    },
    found: watches.found,
    setElsewhere: watches.setElsewhere,
    reassess: watches.reassess,

    /** For reads that no open page needs: see `inTurn` in `watches.ts`. */
    inTurn: watches.inTurn,

    /** Ends all streams; browsers reconnect to the next process. */
    stop(): void {
      isStopped = true;
      clearInterval(heartbeat);
      watches.stop();
      endAll();
    },

    isBreakerOpen: watches.isBreakerOpen,

    counts: () => ({ streams: viewers.all().length, watches: watches.size }),
  };
}

export type Live = ReturnType<typeof createLive>;

/**
 * A change that the open pages of other instances must show, too. `subject`: the tickets of the subject changed.
 * `session`, `sessions`: one session or all were ended. `view`: the subject's own view of a ticket changed. `ticket`: it
 * may have changed. `about`: the session or the ticket.
 */
export interface LiveChange {
  kind: 'subject' | 'session' | 'sessions' | 'view' | 'ticket';
  subjectId: string | null;
  about: string | null;
}

/** A part of the BFF that tells other instances. */
export interface ToldHook {
  /** @throws for a `ticket` that could not be told, so that the sender of the hint sends it again */
  onLiveChange?(change: LiveChange): Promise<void>;
}

/** The same functions for the open pages of all instances: they act here at once, and elsewhere through `parts`. */
export function telling(live: Live, parts: readonly ToldHook[]): Live {
  async function tell(change: LiveChange): Promise<void> {
    for (const part of parts) await part.onLiveChange?.(change);
  }
  return {
    ...live,
    restart(subjectId) {
      live.restart(subjectId);
      void tell({ kind: 'subject', subjectId, about: null });
    },
    async endSession(session) {
      void tell({ kind: 'session', subjectId: session.subjectId, about: session.id });
      await live.endSession(session);
    },
    async endSessions(subjectId) {
      void tell({ kind: 'sessions', subjectId, about: null });
      await live.endSessions(subjectId);
    },
    async refresh(subjectId, ticketId) {
      void tell({ kind: 'view', subjectId, about: ticketId });
      await live.refresh(subjectId, ticketId);
    },
    async hint(ticketId) {
      await live.hint(ticketId);
      await tell({ kind: 'ticket', subjectId: null, about: ticketId });
    },
  };
}
