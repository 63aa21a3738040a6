import type { OperationRow } from '../store/schema.ts';
import type { Live } from '../live/live.ts';
import { createJob } from '../notify/job.ts';
import { createBackgroundReader } from '../notify/background-reader.ts';
import { createReadSchedule } from '../notify/read-schedule.ts';
import { createMailFacts } from '../notify/mail-facts.ts';
import { createMailQueue } from '../notify/mail-queue.ts';
import { createMailing } from '../notify/mailing.ts';
import { replyTimeInMail } from '../site/site.ts';
import { unsubscribePath } from '../contract/paths.ts';
import type { NoticeRecords } from './notice-records.ts';
import type { OnError, Outside } from './outside.ts';
import type { TicketModules } from './tickets.ts';

/** Creates the modules that send mails about tickets. Without such mails nothing runs, and nothing is read. */
export function createNoticeModule({
  outside: { config, store, seal, v1, metrics, mailer, now, elapsed },
  records: { notices, suppressions, offered, isOn },
  ticketModules: { threads },
  live,
  onError,
}: {
  outside: Pick<Outside, 'config' | 'store' | 'seal' | 'v1' | 'metrics' | 'mailer' | 'now' | 'elapsed'>;
  records: NoticeRecords;
  ticketModules: Pick<TicketModules, 'threads'>;
  live: Pick<Live, 'inTurn'>;
  onError: OnError;
}) {
  const { publicUrl } = config;
  if (!isOn || !mailer)
    return {
      job: null,
      counts: async () => ({ due: 0, followed: 0 }),
      settled: async () => {},
      release: async (_beforeMs: number) => {},
      hint: (_ticketId: string) => {},
      onSent: (_row: OperationRow) => {},
    };
  const queue = createMailQueue({ store, offered, now });
  const schedule = createReadSchedule({ store, seal, now });
  const { inTurn } = live;
  const reader = createBackgroundReader({ schedule, notices, threads, v1, inTurn, elapsed, onError });
  const mail = createMailing({
    seal,
    facts: createMailFacts({ store, seal }),
    queue,
    suppressions,
    notices,
    mailer,
    readThread: reader.readThread,
    // In the fragment, which proxies do not log.
    ticketUrl: (ticketId) => `${publicUrl}/?ticket=${encodeURIComponent(ticketId)}`,
    replyTime: (language) => replyTimeInMail(config, language, now()),
    unsubscribeUrl: (token) => `${publicUrl}${unsubscribePath}/${token}`,
    mails: metrics.mails,
    repeats: metrics.mailRepeats,
    now,
    elapsed,
  });
  const reading = offered.answerAfterMs === null ? null : { schedule, reader };
  const job = createJob({ queue, mail, reading, now, elapsed, onError });

  return {
    job,
    /** Resolves when all current reads for mails are done. */
    settled: reader.settled,
    release: queue.release,
    counts: async () => ({ due: await queue.countDue(), followed: await schedule.count() }),

    /** Something may have happened to this ticket. */
    hint: (ticketId: string): void => void notices.readSoon(ticketId).then(job.kick, onError),

    /** To be called when a customer's send has changed. */
    onSent({ kind, state, ticket_id: ticketId }: OperationRow): void {
      if (state !== 'done' || ticketId === null) return;
      if (kind === 'message') void notices.customerWrote(ticketId).catch(onError);
      else job.kick();
    },
  };
}
