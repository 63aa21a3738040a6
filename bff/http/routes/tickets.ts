import { Hono } from 'hono';
import { AppError } from '../../errors.ts';
import type { Deps } from '../../deps.ts';
import { agentMessagesUpTo } from '../../tickets/present.ts';
import { writeSessionCookie } from '../cookie.ts';
import type { AppEnv } from '../context.ts';
import { myGrant, mySession } from '../session.ts';
import {
  newMessageSchema,
  newTicketSchema,
  readBody,
  readIdempotencyKey,
  readMarkSchema,
} from '../validate.ts';

const freshEnoughMs = 1_000;

export function ticketRoutes(deps: Deps) {
  const { views, threads, grants, sessions, live } = deps;

  return new Hono<AppEnv>()
    .get('/', async (c) => c.json({ data: await views.list(mySession(c).subjectId) }))

    .post('/', async (c) => {
      const key = readIdempotencyKey(c);
      const payload = await readBody(c, newTicketSchema);
      const { session, token, operation } = await deps.delivery.openTicket(c.get('session'), key, payload);
      if (token) writeSessionCookie(c, token);
      const ticket = await views.sentTicket(session.subjectId, key);
      return c.json({ data: ticket }, operation.state === 'done' ? 201 : 202);
    })

    .get('/:id', async (c) => {
      const grant = await myGrant(c, grants);
      const read = await threads.read(grant.ticketId, freshEnoughMs);
      const ticket = await views.ticket(grant, read, await sessions.subject(grant.subjectId));
      if (!ticket) throw new AppError('not_found');
      return c.json({ data: ticket });
    })

    .post('/:id/messages', async (c) => {
      const grant = await myGrant(c, grants);
      const key = readIdempotencyKey(c);
      const payload = await readBody(c, newMessageSchema);
      const { message, operation } = await deps.delivery.reply(mySession(c), grant, key, payload);
      return c.json({ data: message }, operation.state === 'done' ? 201 : 202);
    })

    .post('/:id/read', async (c) => {
      const grant = await myGrant(c, grants);
      const { message_id } = await readBody(c, readMarkSchema);
      const { thread } = await threads.read(grant.ticketId, Infinity);
      await grants.markRead(grant, agentMessagesUpTo(thread, message_id));
      await live.refresh(grant.subjectId, grant.ticketId);
      return c.json({ data: await views.summary(grant) });
    });
}
