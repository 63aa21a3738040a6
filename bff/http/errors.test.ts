import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createLog } from '../log/log.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { AppEnv } from './context.ts';
import { answerError } from './errors.ts';
import { assetOf, foreverCache, serve, types } from './files/assets.ts';
import { observeRequests } from './observe.ts';

it('an error after a file was answered has none of the headers of the file', async () => {
  const file = assetOf(types.js, new Map([['identity', new Uint8Array([1])]]));
  const log = createLog('silent');
  const app = new Hono<AppEnv>();
  app.onError(answerError);
  app.use(observeRequests({ log, metrics: createMetrics(), headers: { 'X-Common': 'yes' } }));
  app.use(async (_, next) => {
    await next();
    throw new Error('after the answer');
  });
  app.get('/file', (c) => serve(c, file, foreverCache));
  const { status, headers } = await app.request('/file');
  expect(status).toBe(500);
  expect(Object.fromEntries(headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-common': 'yes',
    'x-request-id': expect.any(String),
  });
});
