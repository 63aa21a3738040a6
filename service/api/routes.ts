import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Deps } from '../deps.ts';
import { findWorkspaceByKey } from '../keys/keys.ts';
import { Problem } from '../problem.ts';
import { addCustomerMessage } from '../tickets/add-message.ts';
import { createTicket } from '../tickets/create-ticket.ts';
import { isUuid } from '../tickets/model.ts';
import { getTicket, listTickets } from '../tickets/read-tickets.ts';
import { maxBodyBytes, readBody } from './read-body.ts';
import { newMessage, newTicket } from './schemas.ts';

interface ApiEnv {
  Variables: { workspaceId: string };
}

const notFound = () => new Problem(404, 'Ticket not found');

/** The four public endpoints, to be mounted under `/api/v1`. */
export function createApi(deps: Deps): Hono<ApiEnv> {
  const { db, now } = deps;
  const api = new Hono<ApiEnv>();

  api.use(authenticate(deps));
  api.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => {
        throw new Problem(413, `The body is larger than ${maxBodyBytes} bytes`);
      },
    }),
  );

  api.get('/tickets', (c) => {
    const limit = parseLimit(c.req.query('limit'));
    return c.json({ data: listTickets(db, c.var.workspaceId, limit) });
  });

  api.post('/tickets', async (c) => {
    const input = await readBody(c, newTicket);
    const ticket = createTicket(db, c.var.workspaceId, input, now());
    deps.onEvent();
    return c.json({ data: ticket }, 201);
  });

  api.get('/tickets/:id', (c) => {
    const ticket = getTicket(db, c.var.workspaceId, parseId(c.req.param('id')));
    if (!ticket) throw notFound();
    return c.json({ data: ticket });
  });

  api.post('/tickets/:id/messages', async (c) => {
    const { body } = await readBody(c, newMessage);
    const added = addCustomerMessage(db, c.var.workspaceId, parseId(c.req.param('id')), body, now());
    if (added === 'not_found') throw notFound();
    if (added === 'merged') throw new Problem(409, 'The ticket has been merged into another ticket');
    deps.onEvent();
    return c.json({ data: added }, 201);
  });

  for (const path of ['/tickets', '/tickets/:id', '/tickets/:id/messages'])
    api.all(path, () => {
      throw new Problem(405, 'Method not allowed');
    });
  api.all('*', () => {
    throw new Problem(404, 'Not found');
  });
  return api;
}

/** Lets a request with an active key pass, bound to the key's workspace. */
function authenticate({ db, now }: Deps): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    c.header('Cache-Control', 'no-store');
    const key = /^Bearer +(\S+) *$/i.exec(c.req.header('authorization') ?? '')?.[1];
    const workspaceId = key === undefined ? null : findWorkspaceByKey(db, key, now());
    if (workspaceId === null) return c.json({ error: 'Unauthorized' }, 401, { 'WWW-Authenticate': 'Bearer' });
    c.set('workspaceId', workspaceId);
    return next();
  };
}

function parseLimit(value: string | undefined): number {
  if (value === undefined) return 20;
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > 50)
    throw new Problem(400, 'Invalid request', { limit: 'must be an integer from 1 to 50' });
  return limit;
}

/** SECURITY: a malformed id and another workspace's id get the same answer. */
function parseId(id: string): string {
  if (!isUuid(id)) throw notFound();
  return id.toLowerCase();
}
