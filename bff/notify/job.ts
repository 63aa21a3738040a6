import { setTimeout as sleep } from 'node:timers/promises';
import type { NoticeRow } from '../store/notice-tables.ts';
import { createBreaker } from '../v1/breaker.ts';
import type { BackgroundReader } from './background-reader.ts';
import type { ReadSchedule } from './read-schedule.ts';
import type { MailQueue } from './mail-queue.ts';
import type { MailOutcome, Mailing } from './mailing.ts';

interface JobDeps {
  queue: Pick<MailQueue, 'due' | 'nextAt'>;
  mail: Mailing;
  /** Null where no answers are mailed: no ticket is then read for it. */
  reading: { schedule: Pick<ReadSchedule, 'nextAt'>; reader: BackgroundReader } | null;
  now: () => number;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

/** Whether an outcome says that the mail server works; others say nothing of it. */
const reachedServer: Partial<Record<MailOutcome | 'error', boolean>> = {
  sent: true,
  bounced: true,
  refused: true,
  failed: false,
  uncertain: false,
};
/** Few: should the process end now, each of these may be mailed again. */
const atOnce = 4;
/** What another process has made due is found after this time at the latest. */
const longestSleepMs = 15_000;
const shortestSleepMs = 500;
/** After an error of the store. */
const restMs = 5_000;
/** A mail that takes longer when the process stops is looked at again after its lease. */
const stopWithinMs = 6_000;

/** Mails what is due, and has tickets read whose customers wait for a mail. */
export function createJob({ queue, mail, reading, now, elapsed, onError }: JobDeps) {
  const breaker = createBreaker(elapsed);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  const stopping = new AbortController();
  /** During a pass: another one follows. */
  let isKicked = false;

  const mailOne = (row: NoticeRow) =>
    mail(row).catch((error: unknown) => {
      onError(error);
      return 'error' as const;
    });

  /** All that is due, in small parts. While the mail server is away, one now and then. */
  async function mailDue(): Promise<void> {
    let isAllowed = breaker.allows();
    while (!stopping.signal.aborted && isAllowed) {
      const due = await queue.due(breaker.isOpen ? 1 : atOnce);
      if (due.length === 0) return;
      const outcomes = await Promise.all(due.map(mailOne));
      if (outcomes.includes('error')) return;
      const reached = outcomes.flatMap((outcome) => (outcome && reachedServer[outcome]) ?? []);
      for (const isGood of reached) breaker.report(isGood);
      // What was not sent after all has not asked the mail server.
      if (reached.length > 0) isAllowed = breaker.allows();
    }
  }

  /** Does all that is due once. Resolves when it is mailed; what is read then may make more due. */
  async function pass(): Promise<void> {
    await reading?.reader.begin();
    await mailDue();
  }

  async function sleepMs(): Promise<number> {
    const next = Math.min(await queue.nextAt(), (await reading?.schedule.nextAt()) ?? Infinity);
    return Math.min(Math.max(next - now(), shortestSleepMs), longestSleepMs);
  }

  async function run(): Promise<void> {
    let nextMs = restMs;
    try {
      await pass();
      nextMs = breaker.isOpen ? longestSleepMs / 3 : await sleepMs();
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
      if (isStarted) timer = setTimeout(kick, isKicked ? 0 : nextMs).unref();
    }
  }

  /** Something may be due now. */
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

    /** Takes up nothing more, and waits for mails under way, though not long. */
    async stop(): Promise<void> {
      isStarted = false;
      stopping.abort();
      clearTimeout(timer);
      const done = Promise.all([running, reading?.reader.settled()]);
      await Promise.race([done, sleep(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
