import { Hono } from 'hono';
import type { TicketAccess } from '../../access/tickets.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';
import {
  newMessageSchema,
  newTicketSchema,
  readBody,
  readIdempotencyKey,
  readMarkSchema,
} from '../validate.ts';

export function ticketRoutes(tickets: TicketAccess) {
  return new Hono<AppEnv>()
    .get('/', async (c) => answer(c, await tickets.list(c.get('visitor'))))

    .post('/', async (c) => {
      const key = readIdempotencyKey(c);
      const payload = await readBody(c, newTicketSchema);
      const { ticket, isDone, issued } = await tickets.open(c.get('visitor'), key, payload);
      return answer(c, ticket, { issued, status: isDone ? 201 : 202 });
    })

    .get('/:id', async (c) =>
      answer(c, await tickets.read(await tickets.hold(c.get('visitor'), c.req.param('id')))),
    )

    .post('/:id/messages', async (c) => {
      const hold = await tickets.hold(c.get('visitor'), c.req.param('id'));
      const key = readIdempotencyKey(c);
      const payload = await readBody(c, newMessageSchema);
      const { message, isDone } = await tickets.reply(c.get('visitor'), hold, key, payload);
      return answer(c, message, { status: isDone ? 201 : 202 });
    })

    .post('/:id/read', async (c) => {
      const hold = await tickets.hold(c.get('visitor'), c.req.param('id'));
      const { message_id } = await readBody(c, readMarkSchema);
      return answer(c, await tickets.markRead(hold, message_id));
    });
}
