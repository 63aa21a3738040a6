import { Webhook } from 'standardwebhooks';
import { Agent, request } from 'undici';
import { backoffMs } from '../../core/backoff.ts';
import { isoTime } from '../../core/clock.ts';
import { LoggableError } from '../../core/errors.ts';
import type { Core } from '../../core/wiring.ts';
import type { DueRating, Ratings } from './ratings.ts';

/*
 * Sends ratings to `RATING_HOOK`, each at least once. The table has what is due. A process that takes one first puts its
 * next attempt off, so that it is tried again if the process ends.
 */

const atOnce = 20;
/** How often it looks for what is due. */
const everyMs = 15_000;
const timeoutMs = 10_000;
const minute = 60_000;
const longestPauseMs = 60 * minute;

/** A customer often says "Yes", and then rates: the receiver gets both at once. */
export const hookDelayMs = minute;

const bodyOf = ({ ticketId, ticketNumber, solved, score, word, ratedAt }: DueRating) =>
  JSON.stringify({
    ticket_id: ticketId,
    ticket_number: ticketNumber,
    solved,
    score,
    word,
    rated_at: isoTime(ratedAt),
  });

/** A secret that is not a Standard Webhooks secret is used as it is. */
const signerOf = (secret: string) =>
  new Webhook(secret, secret.startsWith('whsec_') ? undefined : { format: 'raw' });

export function createHook(
  { log, report }: Pick<Core, 'log' | 'report'>,
  { ratings, url, secret }: { ratings: Ratings; url: string; secret: string | undefined },
) {
  const agent = new Agent({ connect: { timeout: timeoutMs }, pipelining: 0 });
  const signer = secret === undefined ? null : signerOf(secret);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  /** @throws when it was not taken */
  async function send(due: DueRating): Promise<void> {
    const body = bodyOf(due);
    const at = new Date();
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'webhook-id': due.version,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        ...(signer && { 'webhook-signature': signer.sign(due.version, at, body) }),
      },
      body,
    });
    // Nobody reads the answer, which may be long.
    answer.on('error', () => {}).destroy();
    if (statusCode < 200 || statusCode > 299) throw new LoggableError(`the hook answered ${statusCode}`);
  }

  /** Sends what is due. After a failure the others wait for the next pass. */
  async function pass(): Promise<void> {
    for (const due of await ratings.due(atOnce)) {
      // A slow receiver must not keep the server from stopping: the next process sends the others.
      if (isStopped) return;
      if (!(await ratings.putOff(due, backoffMs(due.attempts, minute, longestPauseMs)))) continue;
      try {
        await send(due);
      } catch (err) {
        log.report('rating_not_told', { err });
        return;
      }
      await ratings.markSent(due);
    }
  }

  return {
    pass,
    start(): void {
      timer = setInterval(() => {
        running ??= pass()
          .catch(report('rating_not_told'))
          .finally(() => {
            running = undefined;
          });
      }, everyMs);
      timer.unref();
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearInterval(timer);
      await running;
      await agent.close();
    },
  };
}
