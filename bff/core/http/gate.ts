import type { Context, MiddlewareHandler } from 'hono';
import type { Counter } from 'prom-client';
import { gateHeader } from '../../../shared/contract/paths.ts';
import { AppError } from '../errors.ts';
import type { AppEnv } from './context.ts';

const isJson = /^application\/json(\s*;|$)/i;

const codes = {
  origin: 'forbidden_origin',
  header: 'forbidden_origin',
  content_type: 'unsupported_media_type',
} as const;

function refusalReason(
  { req }: Context<AppEnv>,
  ownOrigin: string,
  isElsewhere: boolean,
  mayBeBytes: boolean,
): keyof typeof codes | null {
  const site = req.header('Sec-Fetch-Site');
  const origin = req.header('Origin');
  const isOwn =
    site === undefined
      ? origin === ownOrigin
      : site === 'same-origin' && !(isElsewhere && origin && origin !== ownOrigin);
  if (!isOwn) return 'origin';
  if (req.header(gateHeader) !== '1') return 'header';
  const isWrite = req.method === 'POST' || req.method === 'PUT' || req.method === 'PATCH';
  return isWrite && !mayBeBytes && !isJson.test(req.header('Content-Type') ?? '') ? 'content_type' : null;
}

/**
 * Lets through only requests of the frame itself: same origin as the browser reports it, with a header that no form and
 * no image can send. Both are required on every call, reads and the stream included; writes must be JSON,
 * but for uploads.
 * @param deps `isElsewhere`: the host of another site has these routes, too. SECURITY: a write there could replace the
 * cookie of that site, so it is refused. Browsers name the origin of every write.
 */
export function gate({
  publicUrl,
  isElsewhere = false,
  isUpload = () => false,
  refusals,
}: {
  publicUrl: string;
  isElsewhere?: boolean;
  isUpload?: (c: Context<AppEnv>) => boolean;
  refusals: Pick<Counter<'reason'>, 'inc'>;
}): MiddlewareHandler<AppEnv> {
  const ownOrigin = new URL(publicUrl).origin;
  return (c, next) => {
    const reason = refusalReason(c, ownOrigin, isElsewhere, isUpload(c));
    if (reason) {
      refusals.inc({ reason });
      throw new AppError(codes[reason]);
    }
    return next();
  };
}
