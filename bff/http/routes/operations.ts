import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { toOperation } from '../../tickets/operations.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { mySession } from '../session.ts';

export function operationRoutes({ operations, delivery }: Deps) {
  const mine = async (c: AppContext) => {
    const row = await operations.find(mySession(c).subjectId, (c.req.param('key') ?? '').toLowerCase());
    if (!row) throw new AppError('not_found');
    return row;
  };
  return new Hono<AppEnv>()
    .get('/:key', async (c) => c.json({ data: toOperation(await mine(c)) }))
    .post('/:key/retry', async (c) =>
      c.json({ data: toOperation(await delivery.retry(await mine(c))) }, 202),
    );
}
