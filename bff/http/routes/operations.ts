import { Hono } from 'hono';
import type { TicketAccess } from '../../access/tickets.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';

export function operationRoutes(tickets: TicketAccess) {
  return new Hono<AppEnv>()
    .get('/:key', async (c) =>
      answer(c, await tickets.operation(c.get('visitor'), c.req.param('key').toLowerCase())),
    )
    .post('/:key/retry', async (c) =>
      answer(c, await tickets.retry(c.get('visitor'), c.req.param('key').toLowerCase()), { status: 202 }),
    );
}
