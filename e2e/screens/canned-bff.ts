import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '../../scripts/serve.ts';
import type { ServerEventName, ServerEvents } from '../../shared/contract/events.ts';
import { accountPaths } from '../../shared/contract/account-paths.ts';
import { paths } from '../../shared/contract/paths.ts';
import type { Session } from '../../shared/contract/session.ts';
import type { Ticket } from '../../shared/contract/tickets.ts';

/** An answer other than the scene's own: to `GET /api/tickets/x`, say. */
export interface CannedAnswer {
  status: number;
  body: object;
}

/** All that the BFF would know of one customer. */
export interface Scene {
  session: Session;
  /** Whole conversations; the list is made of them. */
  tickets: Ticket[];
  /** By method and path; for the stream's too. */
  answers?: Record<string, CannedAnswer>;
  /** False: the ticket service cannot be read. */
  isFresh?: boolean;
  /** The list stays out, and its stream with it. */
  isListHeld?: boolean;
}

/** The page imports a script across origins, which needs the last of them. */
const passedHeaders = [
  'content-type',
  'content-security-policy',
  'cache-control',
  'access-control-allow-origin',
];

/** A failed answer, as the contract shapes it. */
export const refusal = (status: number, code: string, more: object = {}): CannedAnswer => ({
  status,
  body: { error: { code, message: 'for developers', request_id: '-', ...more } },
});

/** A BFF that answers no read of tickets and brings no stream. */
export const unreadable = (): Record<string, CannedAnswer> => ({
  [`GET ${paths.events}`]: refusal(503, 'overloaded'),
  [`GET ${paths.tickets}`]: refusal(503, 'overloaded'),
});

const ok = (data: unknown): CannedAnswer => ({ status: 200, body: { data } });
const summary = ({ messages: _, read_at: _at, ...ticket }: Ticket) => ticket;

const pageSize = 50;

/** The newest messages, or those before the one of this id. */
function pageOf(ticket: Ticket, before: string | null): Ticket {
  // A message that waits has no id either.
  const place = before === null ? -1 : ticket.messages.findIndex(({ id }) => id === before);
  const end = place < 0 ? ticket.messages.length : place;
  const start = Math.max(0, end - pageSize);
  return {
    ...ticket,
    messages: ticket.messages.slice(start, end),
    has_earlier: start > 0,
    before: place < 0 ? null : before,
  };
}

function answerOf({ session, tickets, answers }: Scene, asked: string, before: string | null): CannedAnswer {
  const listed = ok(tickets.map(summary));
  const own: Record<string, CannedAnswer> = {
    [`GET ${paths.session}`]: ok(session),
    [`GET ${paths.tickets}`]: listed,
    [`POST ${accountPaths.code}`]: ok({ sent: true }),
  };
  for (const ticket of tickets) {
    own[`GET ${paths.ticket(ticket.id ?? ticket.key!)}`] = ok(pageOf(ticket, before));
    own[`POST ${paths.read(ticket.id ?? ticket.key!)}`] = ok({ ...summary(ticket), unread: 0 });
  }
  return answers?.[asked] ?? own[asked] ?? refusal(404, 'not_found');
}

export type CannedBff = Awaited<ReturnType<typeof startCannedBff>>;

/**
 * In place of the BFF: serves the real documents and scripts of the BFF at `realUrl`, the data of a scene, and a stream
 * that stays open.
 */
export async function startCannedBff(realUrl: string) {
  let scene: Scene | undefined;
  const streams = new Set<ServerResponse>();
  const write = <Name extends ServerEventName>(to: ServerResponse, name: Name, data: ServerEvents[Name]) =>
    to.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

  function stream({ session, tickets, isFresh = true, isListHeld }: Scene, response: ServerResponse): void {
    streams.add(response);
    response.on('close', () => streams.delete(response));
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    if (!isListHeld) write(response, 'sync', { session, tickets: tickets.map(summary), thread: null });
    write(response, 'freshness', { fresh: isFresh });
  }

  async function pass({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = await fetch(new URL(url, realUrl), {
      headers: { 'Accept-Language': headers['accept-language'] ?? '', 'Accept-Encoding': 'identity' },
    });
    for (const name of passedHeaders) {
      const value = answer.headers.get(name);
      if (value) response.setHeader(name, value);
    }
    response.writeHead(answer.status).end(await answer.text());
  }

  const { port, stop } = await serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', realUrl);
    if (!scene || !pathname.startsWith('/api/')) {
      pass(request, response).catch(() => response.destroy());
      return;
    }
    const asked = `${request.method} ${pathname}`;
    const before = searchParams.get('before');
    if (pathname === paths.events && !scene.answers?.[asked]) return stream(scene, response);
    const { status, body } = answerOf(scene, asked, before);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });

  return {
    url: `http://localhost:${port}`,
    /** What it answers from now on. */
    show(next: Scene): void {
      scene = next;
    },
    /** Ends all streams. */
    cut: () => streams.forEach((response) => response.end()),
    /** Sends an event to all listeners. */
    push: <Name extends ServerEventName>(name: Name, data: ServerEvents[Name]) =>
      streams.forEach((response) => write(response, name, data)),
    stop,
  };
}
