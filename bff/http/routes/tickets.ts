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
