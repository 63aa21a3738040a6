import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../../core/backoff.ts';
import type { Core } from '../../../core/wiring.ts';
import type { Acting, MailInResult } from './act.ts';
import type { Ending, Inbox, LeasedMail } from './inbox.ts';
import { UnreadableMail } from './read-mail.ts';

/* Acts on the mails that were taken, one after the other, in their order. */

/** The longest pause. Mails that another process has taken are found after it. */
const longestSleepMs = 15_000;
const shortestSleepMs = 100;
/** The pause after an error of the store. */
const restMs = 5_000;
const firstRetryMs = 5_000;
const longestRetryMs = 300_000;
/** Within about a quarter of an hour. A mail that ends the process counts, too. */
const maxAttempts = 8;
const stopWithinMs = 6_000;

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
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  const stopping = new AbortController();
  let isKicked = false;

  async function end(row: LeasedMail, result: MailInResult, ending: Ending): Promise<void> {
    const state = await inbox.finish(row, ending);
    onResult(result);
    if (state === 'aside') onAside();
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
    while (!stopping.signal.aborted) {
      const row = await inbox.leaseFirst();
      if (!row || !(await actOn(row))) return;
    }
  }

  async function run(): Promise<void> {
    let nextMs = restMs;
    try {
      await pass();
      nextMs = Math.min(Math.max((await inbox.nextAt()) - now(), shortestSleepMs), longestSleepMs);
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
      if (isStarted) timer = setTimeout(kick, isKicked ? 0 : nextMs).unref();
    }
  }

  /** To be called when a mail was taken. */
  function kick(): void {
    if (!isStarted) return;
    clearTimeout(timer);
    isKicked = running !== undefined;
    running ??= run();
  }

  return {
    kick,
    pass,
    start(): void {
      isStarted = true;
      kick();
    },
    async stop(): Promise<void> {
      isStarted = false;
      stopping.abort();
      clearTimeout(timer);
      await Promise.race([running, sleep(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
