import { Hono } from 'hono';
import type { TicketUseCases } from '../../use-cases/tickets.ts';
import { answer, answerCompressed } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import { acceptedLanguages } from '../language.ts';
import {
  newMessageSchema,
  newTicketSchema,
  readBody,
  readIdempotencyKey,
  readMarkSchema,
} from '../validate.ts';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { sessionOf } from '../../use-cases/visitor.ts';
import { AppError } from '../../errors.ts';

/** @param bestLanguage chooses a language of the widget from the requested tags, most wanted first */
export function ticketRoutes(tickets: TicketUseCases, bestLanguage: (wishes: readonly string[]) => string) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answerCompressed(c, await tickets.list(c.get('visitor'))))

    .post('/', async (c) => {
      const key = readIdempotencyKey(c);
      const body = await readBody(c, newTicketSchema);
      const language = body.language ?? bestLanguage(acceptedLanguages(c.req.header('Accept-Language')));
      const payload = { ...body, language };
      const { ticket, isDone, issued } = await tickets.open(c.get('visitor'), key, payload);
      return answer(c, ticket, { issued, status: isDone ? 201 : 202 });
    })

    .get('/:id', async (c) => {
      const before = c.req.query('before') ?? null;
      return answerCompressed(c, await tickets.read(c.get('visitor'), c.req.param('id'), before));
    })

    .post('/:id/messages', async (c) => {
      const access = await tickets.findAccess(c.get('visitor'), c.req.param('id'));
      const key = readIdempotencyKey(c);
      const payload = await readBody(c, newMessageSchema);
      const { message, isDone } = await tickets.reply(c.get('visitor'), access, key, payload);
      return answer(c, message, { status: isDone ? 201 : 202 });
    })

    .post('/:id/read', async (c) => {
      const access = await tickets.findAccess(c.get('visitor'), c.req.param('id'));
      const { message_id } = await readBody(c, readMarkSchema);
      return answer(c, await tickets.markRead(access, message_id));
    });
}

export function operationRoutes(tickets: TicketUseCases) {
  return new Hono<AppEnv>()
    .get('/:key', async (c) =>
      answer(c, await tickets.operation(c.get('visitor'), c.req.param('key').toLowerCase())),
    )
    .post('/:key/retry', async (c) =>
      answer(c, await tickets.retry(c.get('visitor'), c.req.param('key').toLowerCase()), { status: 202 }),
    );
}

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
