import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { TicketUseCases } from '../../use-cases/tickets.ts';
import { sessionOf } from '../../use-cases/visitor.ts';
import { AppError } from '../../errors.ts';
import type { AppEnv } from '../context.ts';

/** The stream is written to the raw Node response, which takes a third of the memory of a web stream. */
export function eventRoutes(tickets: TicketUseCases) {
  return new Hono<AppEnv>().get('/', async (c) => {
    // Hono answers HEAD by the GET route, and a stream would never end it.
    if (c.req.method === 'HEAD') throw new AppError('not_found');
    sessionOf(c.get('visitor'));
    const { outgoing } = c.env;
    // The browser left while this request waited. The response would never report that it has closed.
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
    // A response that waits behind another one on its connection may never learn that the connection has closed.
    if (!outgoing.socket) throw new AppError('overloaded');
    // Hono's listener would keep the request and its headers in memory, only to abort a signal that nothing reads.
    if (outgoing.listenerCount('close') === 1) outgoing.removeAllListeners('close');
    const { thread = null, after = null } = c.req.query();
    await tickets.stream(
      c.get('visitor'),
      { thread, after },
      outgoing,
      Object.fromEntries(c.body(null).headers),
    );
    return RESPONSE_ALREADY_SENT;
  });
}
