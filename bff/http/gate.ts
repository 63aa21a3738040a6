import type { MiddlewareHandler } from 'hono';
import { gateHeader } from '../contract/paths.ts';
import { AppError } from '../errors.ts';
import type { AppEnv } from './context.ts';

const isJson = /^application\/json(\s*;|$)/i;

/**
 * Lets through only what the frame itself sent: same origin by the browser's own word, with a header that no form
 * and no image can carry. Both are required on every call, reads and the stream included; writes must be JSON.
 */
export function gate(publicUrl: string): MiddlewareHandler<AppEnv> {
  const ownOrigin = new URL(publicUrl).origin;
  return async (c, next) => {
    const site = c.req.header('Sec-Fetch-Site');
    const isOwn = site === undefined ? c.req.header('Origin') === ownOrigin : site === 'same-origin';
    if (!isOwn || c.req.header(gateHeader) !== '1') throw new AppError('forbidden_origin');
    const isWrite = c.req.method === 'POST' || c.req.method === 'PUT' || c.req.method === 'PATCH';
    if (isWrite && !isJson.test(c.req.header('Content-Type') ?? ''))
      throw new AppError('unsupported_media_type');
    await next();
  };
}
