import { backoffMs } from '../../../core/backoff.ts';
import type { Core } from '../../../core/wiring.ts';
import { createLoop } from '../loop.ts';
import type { Acting, MailInResult } from './act.ts';
import type { Ending, Inbox, LeasedMail } from './inbox.ts';
import { UnreadableMail } from './incoming-mail.ts';

/* Acts on the mails that were taken, one after the other, in their order. */

/** The longest pause. Mails that another process has taken are found after it. */
const longestSleepMs = 15_000;
const shortestSleepMs = 100;
const firstRetryMs = 5_000;
const longestRetryMs = 300_000;
/** Within about a quarter of an hour. A mail that ends the process counts, too. */
const maxAttempts = 8;

interface Deps {
  inbox: Inbox;
  act: Acting;
  onResult: (result: MailInResult) => void;
  /** A mail was set aside. */
  onAside: () => void;
  /** Something failed, and will be tried again. */
  onError: (error: unknown) => void;
}

export function createMailInJob({ now }: Core, { inbox, act, onResult, onAside, onError }: Deps) {
  async function end(row: LeasedMail, result: MailInResult, ending: Ending): Promise<void> {
    await inbox.finish(row, ending);
    onResult(result);
    if (ending.state === 'aside') onAside();
  }

  const setAside = (row: LeasedMail, reason: string) => end(row, 'aside', { state: 'aside', reason });

  /** False when it must be tried again, before those behind it. */
  async function actOn(row: LeasedMail): Promise<boolean> {
    if (row.attempts > maxAttempts) {
      await setAside(row, `it failed ${maxAttempts} times; the log says why`);
      return true;
    }
    try {
      const { result, ending, after } = await act(row);
      await end(row, result, ending);
      await after?.();
      return true;
    } catch (error) {
      if (error instanceof UnreadableMail) {
        await setAside(row, `it cannot be read: ${error.message}`);
        return true;
      }
      onError(error);
      await inbox.postpone(row, backoffMs(row.attempts, firstRetryMs, longestRetryMs));
      return false;
    }
  }

  /** Acts on all that wait. */
  async function pass(): Promise<void> {
    for (let left = await inbox.setRefusedAside(); left > 0; left -= 1) onAside();
    while (!loop.isStopping()) {
      const row = await inbox.leaseFirst();
      if (!row || !(await actOn(row))) return;
    }
  }

  const loop = createLoop({
    pass,
    pauseMs: async () => Math.min(Math.max((await inbox.nextAt()) - now(), shortestSleepMs), longestSleepMs),
    onError,
  });

  return { kick: loop.kick, pass, start: loop.start, stop: (): Promise<void> => loop.stop() };
}
