import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { Webhook } from 'standardwebhooks';
import { createCache } from '../../cache.ts';
import { AppError } from '../../errors.ts';
import { limitHeaders, type Limits } from '../../limits/limits.ts';
import type { AppContext, AppEnv } from '../context.ts';
import { setHeaders } from '../headers.ts';

const maxHookBytes = 64 * 1024;
const maxHints = 20;
const signingPrefix = 'whsec_';
const uuid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi;
/** A signature is valid for five minutes before and after its time. Later the delivery is refused for its age. */
const rememberMs = 600_000;
const maxRemembered = 10_000;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** SECURITY: takes the same time for any text, because digests are compared, and all secrets are compared. */
const isOneOf = (text: string, digests: readonly Buffer[]) =>
  digests.reduce((found, each) => timingSafeEqual(digest(text), each) || found, false);

function isSigned(webhooks: readonly Webhook[], body: string, headers: Record<string, string>): boolean {
  return webhooks.some((webhook) => {
    try {
      webhook.verify(body, headers, { jsonParse: false });
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Receives the ticket service's webhooks: `POST /hooks/tickets/{secret}`. The secret in the path is the one of
 * `secrets` that is not a Standard Webhooks secret (`whsec_…`), or the only one. With a Standard Webhooks secret the
 * signature and its age must be valid too, and a delivery counts once. The body is not trusted: its ids only make the
 * BFF read (`hint`) tickets that somebody watches.
 */
export function hookRoutes(deps: {
  secrets: readonly string[];
  hint: (ticketId: string) => Promise<void>;
  limits: Limits;
}) {
  const signing = deps.secrets.filter((secret) => secret.startsWith(signingPrefix));
  const plain = deps.secrets.filter((secret) => !secret.startsWith(signingPrefix));
  const paths = (plain.length > 0 ? plain : signing).map(digest);
  const webhooks = signing.map((secret) => new Webhook(secret));
  const delivered = createCache<true>(maxRemembered, { ttl: rememberMs });

  /**
   * SECURITY: an unknown webhook, a wrong secret and a bad signature get the same answer. Only refused requests are
   * counted.
   */
  async function refuse(c: AppContext): Promise<never> {
    const states = await deps.limits.take([{ policy: 'hooks-ip', key: c.get('address') }]);
    setHeaders(c, limitHeaders(states));
    throw new AppError('not_found');
  }

  return new Hono<AppEnv>().post(
    '/:secret',
    async (c, next) => {
      if (paths.length === 0) throw new AppError('not_found');
      if (!isOneOf(c.req.param('secret') ?? '', paths)) await refuse(c);
      await next();
    },
    bodyLimit({
      maxSize: maxHookBytes,
      onError: () => {
        throw new AppError('payload_too_large');
      },
    }),
    async (c) => {
      const body = await c.req.text();
      const delivery = webhooks.length > 0 ? (c.req.header('webhook-id') ?? '') : null;
      if (delivery !== null) {
        if (!isSigned(webhooks, body, c.req.header())) await refuse(c);
        if (delivered.has(delivery)) return c.body(null, 204);
        delivered.set(delivery, true);
      }
      const hints = [...new Set(body.match(uuid))].slice(0, maxHints);
      try {
        await Promise.all(hints.map((id) => deps.hint(id)));
      } catch (error) {
        // The service must deliver it again, here or to another instance.
        if (delivery !== null) delivered.delete(delivery);
        throw error;
      }
      return c.body(null, 204);
    },
  );
}
