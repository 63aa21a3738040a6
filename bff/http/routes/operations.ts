import { Hono } from 'hono';
import type { TicketUseCases } from '../../use-cases/tickets.ts';
import { answer } from '../answer.ts';
import type { AppEnv } from '../context.ts';

export function operationRoutes(tickets: TicketUseCases) {
  return new Hono<AppEnv>()
    .get('/:key', async (c) =>
      answer(c, await tickets.operation(c.get('visitor'), c.req.param('key').toLowerCase())),
    )
    .post('/:key/retry', async (c) =>
      answer(c, await tickets.retry(c.get('visitor'), c.req.param('key').toLowerCase()), { status: 202 }),
    );
}
