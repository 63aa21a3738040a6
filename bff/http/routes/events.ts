import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import type { AppEnv } from '../context.ts';
import { mySession } from '../session.ts';

/** The stream is written to the raw Node response: a third of the memory of a web stream. */
export function eventRoutes({ live }: Deps) {
  return new Hono<AppEnv>().get('/', async (c) => {
    const session = mySession(c);
    await live.open(c.env.outgoing, session, c.req.query('thread') ?? null);
    return RESPONSE_ALREADY_SENT;
  });
}
