import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { limitBodyTime, liftBodyTime } from '../../../core/http/body-time.ts';
import type { AppContext, AppEnv } from '../../../core/http/context.ts';
import { setHeaders } from '../../../core/http/headers.ts';
import { limitHeaders } from '../../../core/limits/limits.ts';
import type { Core } from '../../../core/wiring.ts';
import { joined } from '../../../core/bytes.ts';
import { mailInForm } from './hook-form.ts';

/*
 * `POST /hooks/mail/{secret}`: a mail as it came, from a mail provider or a mail server. The body is the mail
 * (`message/rfc822`), or a form that has it in a field, as some providers send it.
 */

/** Larger ones are refused: the provider tells their senders. */
const maxBodyBytes = 40 * 1024 * 1024;
const bodyMs = 120_000;
/** How many arrive at once. Others are told to come again, so that they do not fill the memory. */
const maxAtOnce = 4;
const digest = (text: string) => createHash('sha256').update(text).digest();

export function mailHookRoutes(
  { limits }: Pick<Core, 'limits'>,
  { secrets, take }: { secrets: readonly string[]; take: (raw: Uint8Array) => Promise<void> },
) {
  const digests = secrets.map(digest);
  let arriving = 0;

  /** SECURITY: takes the same time for any text. Only refused requests are counted. */
  async function admit(c: AppContext): Promise<void> {
    const given = digest(c.req.param('secret') ?? '');
    if (digests.reduce((found, each) => timingSafeEqual(given, each) || found, false)) return;
    const states = await limits.take([{ policy: 'hooks-ip', key: c.get('address') }]);
    setHeaders(c, limitHeaders(states));
    throw new AppError('not_found');
  }

  async function bodyOf(c: AppContext): Promise<Buffer<ArrayBuffer>> {
    const tooLarge = () => new AppError('payload_too_large');
    if (Number(c.req.header('Content-Length')) > maxBodyBytes) throw tooLarge();
    const incoming = c.env?.incoming;
    liftBodyTime(incoming);
    if (incoming) limitBodyTime(incoming, bodyMs);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of c.req.raw.body ?? []) {
      size += chunk.length;
      if (size > maxBodyBytes) throw tooLarge();
      chunks.push(chunk);
    }
    return joined(chunks);
  }

  return new Hono<AppEnv>().post('/:secret', async (c) => {
    await admit(c);
    if (arriving >= maxAtOnce) throw new AppError('overloaded', { retryAfterSec: 10 });
    arriving += 1;
    try {
      const body = await bodyOf(c);
      const mail = (await mailInForm(body, c.req.header('Content-Type') ?? '')) ?? body;
      if (mail.length === 0) throw new AppError('invalid_request', { fields: { body: 'required' } });
      await take(mail);
      return c.body(null, 204);
    } finally {
      arriving -= 1;
    }
  });
}
