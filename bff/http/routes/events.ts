import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import type { AppEnv } from '../context.ts';
import { mySession } from '../session.ts';

/** The stream is written to the raw Node response: a third of the memory of a web stream. */
export function eventRoutes({ live }: Deps) {
  return new Hono<AppEnv>().get('/', async (c) => {
    // Hono answers HEAD by the GET route, and a stream would never end it.
    if (c.req.method === 'HEAD') throw new AppError('not_found');
    const session = mySession(c);
    c.env.outgoing.setHeader('X-Request-Id', c.get('requestId'));
    await live.open(c.env.outgoing, session, c.req.query('thread') ?? null);
    return RESPONSE_ALREADY_SENT;
  });
}
