import type { ServerResponse } from 'node:http';
import type { Histogram } from 'prom-client';
import { heartbeatMs } from '../contract/events.ts';
import type { TicketSummary } from '../contract/tickets.ts';
import { AppError } from '../errors.ts';
import type { Session } from '../session/sessions.ts';
import { UnreachableError } from '../store/errors.ts';
import type { OperationRow } from '../store/schema.ts';
import { codingFor } from './streams/coding.ts';
import { createHub, type OnScreen, Subscriber } from './streams/hub.ts';
import { slicesOf } from './streams/slices.ts';
import { StreamWriter } from './streams/stream-writer.ts';
import { createPublisher, type PublishDeps } from './publishing/publish.ts';
import { createBroadcast } from './streams/broadcast.ts';
import { createWatches } from './watches/watch.ts';
import type { WatchDeps } from './watches/watch-state.ts';

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
  const hub = createHub();
  const publisher = createPublisher(deps);
  const watches = createWatches({ ...deps, publisher });
  const broadcast = createBroadcast(deps.onError);

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
    for (const subscriber of hub.all()) subscriber.end();
  }

  async function beat(): Promise<void> {
    const all = hub.all();
    const live = await deps.sessions.findLive(all.map(({ sessionId }) => sessionId));
    for await (const slice of slicesOf(all))
      await broadcast(slice, (subscriber) => {
        if (!live.has(subscriber.sessionId)) return publisher.ended(subscriber);
        subscriber.beat();
      });
  }

  function watchAll(subscriber: Subscriber, tickets: readonly TicketSummary[]): void {
    const mine = tickets.flatMap(({ id }) => id ?? []);
    const theirs = subscriber.thread !== null && mine.includes(subscriber.thread) ? [subscriber.thread] : [];
    for (const id of new Set([...theirs, ...mine.slice(0, badgeTickets)])) watches.add(id, subscriber);
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
      const coding = codingFor(response.req.headers['accept-encoding']);
      response.writeHead(200, {
        ...headers,
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
        Vary: 'Accept-Encoding',
        ...(coding.name !== 'identity' && { 'Content-Encoding': coding.name }),
      });
      // When the headers are sent alone, Node writes them as one text. Otherwise it keeps their fifty parts, which
      // takes a kilobyte more.
      response.flushHeaders();
      // Node keeps the request as long as its response. Nothing reads these again, and a browser's take a kilobyte.
      response.req.rawHeaders = noRawHeaders;
      response.req.headers = noHeaders;
      const writer = new StreamWriter(response, deps.elapsed, coding);
      const who = { subjectId: session.subjectId, sessionId: session.id, ...onScreen };
      const subscriber = new Subscriber(who, writer);
      hub.add(subscriber);
      const openedAt = deps.elapsed();
      response.on('close', () => {
        hub.remove(subscriber);
        watches.removeViewer(subscriber);
        deps.streamDurations.observe((deps.elapsed() - openedAt) / 1_000);
      });
      response.on('error', () => response.destroy());
      try {
        const tickets = await publisher.sync(subscriber);
        if (!response.destroyed) watchAll(subscriber, tickets);
      } catch (error) {
        // The response has begun, so no error can be answered.
        deps.onError(error);
        response.destroy();
      }
    },

    /** A send has changed: publishes it to its subject, and reads the ticket at once. */
    async operation(row: OperationRow): Promise<void> {
      const recipients: Subscriber[] = [];
      await broadcast(hub.of(row.subject_id), async (subscriber) => {
        if (await publisher.operation(subscriber, row)) recipients.push(subscriber);
      });
      // A refusal may mean that the ticket takes no more replies.
      if ((row.state !== 'done' && row.state !== 'rejected') || row.ticket_id === null) return;
      for (const subscriber of recipients) watches.add(row.ticket_id, subscriber);
      if (recipients.length > 0) watches.hint(row.ticket_id);
      await publisher.ticket(recipients, row.ticket_id, deps.threads.known(row.ticket_id));
    },

    /** This subject's own view of a ticket changed, such as by reading it. */
    async refresh(subjectId: string, ticketId: string): Promise<void> {
      await publisher.ticket(hub.of(subjectId), ticketId, deps.threads.known(ticketId));
    },

    /** Ends the streams of a session that was signed out, after a `session` event. */
    async endSession(session: Pick<Session, 'id' | 'subjectId'>): Promise<void> {
      const theirs = hub.of(session.subjectId).filter(({ sessionId }) => sessionId === session.id);
      await broadcast(theirs, publisher.signedOut);
    },

    /** Ends the streams of all sessions of a subject in the same way. */
    async endSessions(subjectId: string): Promise<void> {
      await broadcast(hub.of(subjectId), publisher.signedOut);
    },

    /** Ends a subject's streams because its tickets have changed: the browsers reconnect and get the new list. */
    restart(subjectId: string): void {
      for (const subscriber of hub.of(subjectId)) subscriber.end();
    },

    /** Ends all streams, because changes may have been missed. The browsers reconnect and read everything again. */
    restartAll: endAll,

    /** The ticket may have changed: reads it at once, here and on other instances with it on screen. */
    async hint(ticketId: string): Promise<void> {
      watches.hint(ticketId);
    },
    moved: watches.moved,
    found: watches.found,
    setElsewhere: watches.setElsewhere,
    reassess: watches.reassess,

    /** For reads that no open page needs: see `other-reads.ts`. */
    inTurn: watches.inTurn,

    /** Ends all streams; browsers reconnect to the next process. */
    stop(): void {
      isStopped = true;
      clearInterval(heartbeat);
      watches.stop();
      endAll();
    },

    isBreakerOpen: watches.isBreakerOpen,

    counts: () => ({ streams: hub.all().length, watches: watches.size }),
  };
}

export type Live = ReturnType<typeof createLive>;
