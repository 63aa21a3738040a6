import { createBreaker } from '../../core/v1/breaker.ts';
import type { Core } from '../../core/wiring.ts';
import type { BackgroundReader } from './background-reader.ts';
import { createLoop } from './loop.ts';
import type { ReadSchedule } from './read-schedule.ts';
import type { MailQueue } from './mail-queue.ts';
import type { MailOutcome, Mailing } from './mailing.ts';
import type { NoticeRow } from './tables.ts';

interface JobDeps {
  queue: MailQueue;
  mail: Mailing;
  /** Null where no answers are mailed. Then no tickets are read for mails. */
  reading: { schedule: ReadSchedule; reader: BackgroundReader } | null;
  onError: (error: unknown) => void;
}

/** Whether an outcome shows that the mail server works. Missing outcomes show nothing. */
const reachedServer: Partial<Record<MailOutcome | 'error', boolean>> = {
  sent: true,
  bounced: true,
  refused: true,
  failed: false,
  uncertain: false,
};
/** Small: if the process ends now, each of these mails may be sent again. */
const atOnce = 4;
/** The longest pause. Mails that another process has made due are found after it. */
const longestSleepMs = 15_000;
const shortestSleepMs = 500;
/** Sends due mails, and reads tickets whose customers wait for a mail. */
export function createJob({ now, elapsed }: Core, { queue, mail, reading, onError }: JobDeps) {
  const breaker = createBreaker(elapsed);
  const mailOne = (row: NoticeRow) =>
    mail(row).catch((error: unknown) => {
      onError(error);
      return 'error' as const;
    });

  /** Sends all due mails, in small parts. While the mail server is away, only one now and then. */
  async function mailDue(): Promise<void> {
    let isAllowed = breaker.allows();
    while (!loop.isStopping() && isAllowed) {
      const due = await queue.due(breaker.isOpen ? 1 : atOnce);
      if (due.length === 0) return;
      const outcomes = await Promise.all(due.map(mailOne));
      if (outcomes.includes('error')) return;
      const reached = outcomes.flatMap((outcome) => (outcome && reachedServer[outcome]) ?? []);
      for (const isGood of reached) breaker.report(isGood);
      // A mail that was not sent did not reach the mail server.
      if (reached.length > 0) isAllowed = breaker.allows();
    }
  }

  /** Does everything that is due once. Resolves when mails are sent. The reads it starts may make more mails due. */
  async function pass(): Promise<void> {
    await reading?.reader.begin();
    await mailDue();
  }

  async function sleepMs(): Promise<number> {
    const next = Math.min(await queue.nextAt(), (await reading?.schedule.nextAt()) ?? Infinity);
    return Math.min(Math.max(next - now(), shortestSleepMs), longestSleepMs);
  }

  const loop = createLoop({
    pass,
    pauseMs: () => (breaker.isOpen ? longestSleepMs / 3 : sleepMs()),
    onError,
  });

  return {
    kick: loop.kick,
    pass,
    start: loop.start,
    stop: (): Promise<void> => loop.stop(reading?.reader.settled()),
  };
}

export type Job = ReturnType<typeof createJob>;
