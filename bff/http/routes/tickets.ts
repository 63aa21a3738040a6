import { Hono } from 'hono';
import { compress } from 'hono/compress';
import type { TicketUseCases } from '../../use-cases/tickets.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import {
  newMessageSchema,
  newTicketSchema,
  readBody,
  readIdempotencyKey,
  readMarkSchema,
} from '../validate.ts';

/** SECURITY: for reads only. The compressed length of an answer with a token could help to guess it. */
const compressed = compress({ encoding: 'gzip' });

export function ticketRoutes(tickets: TicketUseCases) {
  return new Hono<AppEnv>()
    .get('/', compressed, async (c) => answer(c, await tickets.list(c.get('visitor'))))

    .post('/', async (c) => {
      const key = readIdempotencyKey(c);
      const payload = await readBody(c, newTicketSchema);
      const { ticket, isDone, issued } = await tickets.open(c.get('visitor'), key, payload);
      return answer(c, ticket, { issued, status: isDone ? 201 : 202 });
    })

    .get('/:id', compressed, async (c) => {
      const access = await tickets.findAccess(c.get('visitor'), c.req.param('id'));
      return answer(c, await tickets.read(access, c.req.query('before') ?? null));
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
