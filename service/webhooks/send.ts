import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import type { AttemptResult, DueDelivery } from './deliveries.ts';

const timeoutMs = 15_000;
const maxAnswerBytes = 64 * 1024;

/** The HTTP agent of all deliveries; close it at the end. */
export function openDeliveryAgent(): Agent {
  return new Agent({ connect: { timeout: timeoutMs }, maxResponseSize: maxAnswerBytes, pipelining: 1 });
}

/**
 * Makes one signed attempt (Standard Webhooks) within 15 s and returns its result; never throws.
 * Redirects are not followed: a 3xx is a failed attempt. Of the answer only the status counts.
 */
export async function sendDelivery(
  agent: Agent,
  delivery: DueDelivery,
  now: Date,
  stop: AbortSignal,
): Promise<AttemptResult> {
  const abort = new AbortController();
  const onStop = () => abort.abort();
  stop.addEventListener('abort', onStop);
  const timer = setTimeout(onStop, timeoutMs);
  try {
    const response = await request(delivery.url, {
      method: 'POST',
      dispatcher: agent,
      signal: abort.signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'deskside-service',
        'webhook-id': delivery.event_id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(delivery.secret).sign(delivery.event_id, now, delivery.payload),
      },
      body: delivery.payload,
    });
    // The status is the whole answer; a body that is too long or cut short changes nothing.
    await response.body.dump({ limit: maxAnswerBytes, signal: abort.signal }).catch(() => {});
    return { status: response.statusCode, error: null };
  } catch (error) {
    return { status: null, error: abort.signal.aborted ? 'timeout' : errorCode(error) };
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

/** A short code (`ECONNREFUSED`, `ENOTFOUND`, …), since messages may repeat the address, which may hold a secret. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
